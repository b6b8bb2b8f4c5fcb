export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  format?: string;
  description?: string;
  [other: string]: unknown;
}

export interface Media {
  schema?: JsonSchema;
  example?: unknown;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: JsonSchema;
}

export interface Reply {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Reply>;
}

/** The parts of an OpenAPI 3.1 document that are written here. */
export interface OpenApi {
  openapi: string;
  info: { title: string; description?: string; version: string; license?: object };
  servers?: { url: string }[];
  components: {
    securitySchemes: object;
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Reply>;
  };
  security?: object[];
  tags?: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}
