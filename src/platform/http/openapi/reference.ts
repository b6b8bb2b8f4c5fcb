import type { z } from "zod";

/** What the API reference says about one route beyond its schemas. */
export interface RouteReference {
  /** What generated clients call it. */
  readonly id: string;
  readonly tag: string;
  readonly description?: string;
  /** A request that can be sent as it is; of a form its fields. */
  readonly request?: unknown;
  /** What it is answered with. */
  readonly reply?: unknown;
  /** Types of a successful reply that is not JSON, or not always. */
  readonly sends?: readonly string[];
  /** The reply is never JSON. */
  readonly isNeverJson?: boolean;
  /** Statuses beyond those that the route's schemas name. */
  readonly also?: readonly number[];
}

/** What the API reference says about one service. */
export interface ApiReference {
  /** Markdown that stands before the routes. */
  readonly guide: string;
  /** Groups of routes in the order of the page, each with a sentence. */
  readonly tags: Readonly<Record<string, string>>;
  /** By method and path: "POST /v1/speech". */
  readonly routes: Readonly<Record<string, RouteReference>>;
  /** Schemas that many routes share, by the name that generated clients give them. */
  readonly named: Readonly<Record<string, z.ZodType>>;
}
