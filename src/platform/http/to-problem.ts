import { isDatabaseDown, isDataError } from "../database-error.ts";
import { Problem } from "../errors.ts";
import { table } from "../table.ts";

/** A restart of the database takes seconds. */
const databaseRetrySeconds = 5;

/** Turns whatever was thrown into a Problem. What nobody foresaw keeps its details for the log and shows none of them. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string };
  const known = code ? frameworkProblems[code] : undefined;
  if (known) return known(error, message ?? "");
  // Malformed JSON reaches us as a SyntaxError with the status that Fastify chose for it.
  if (error instanceof SyntaxError && statusCode === 400) {
    return new Problem("invalid_request", "The body is not valid JSON.", { cause: error });
  }
  if (statusCode === 400) return new Problem("invalid_request", "The request is malformed.", { cause: error });
  if (isDatabaseDown(error)) {
    return new Problem("storage_down", "The database does not answer right now. Try again in a few seconds.", {
      cause: error,
      retryAfterSeconds: databaseRetrySeconds,
    });
  }
  // A safety net: the schemas refuse such values before, and name the field.
  if (isDataError(error)) {
    return new Problem("invalid_request", "The request holds a value that cannot be stored.", { cause: error });
  }
  return new Problem("internal", "Something went wrong on our side. The request id tells us where to look.", {
    cause: error,
  });
}

type Translation = (cause: unknown, message: string) => Problem;
const invalid =
  (message: string): Translation =>
  (cause) =>
    new Problem("invalid_request", message, { cause });
const tooLarge: Translation = (cause) => new Problem("too_large", "The request body is too large.", { cause });

const frameworkProblems: Record<string, Translation> = table({
  FST_ERR_CTP_INVALID_MEDIA_TYPE: invalid("This content type is not accepted here. Send application/json."),
  FST_ERR_CTP_EMPTY_JSON_BODY: invalid("The body is empty. Send a JSON object."),
  FST_ERR_CTP_INVALID_JSON_BODY: invalid("The body is not valid JSON."),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: invalid("The body is shorter or longer than its Content-Length says."),
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_REQ_FILE_TOO_LARGE: tooLarge,
  FST_INVALID_MULTIPART_CONTENT_TYPE: invalid("Send the fields as multipart/form-data."),
  FST_ERR_BAD_URL: invalid("The address is malformed."),
  FST_PARTS_LIMIT: invalid("The form has too many parts."),
  FST_FILES_LIMIT: invalid("The form has too many files."),
  FST_FIELDS_LIMIT: invalid("The form has too many fields."),
  FST_PROTO_VIOLATION: invalid("The form has a field whose name is not allowed."),
  ECONNRESET: invalid("The connection closed before the request was complete."),
});
