/** Tells failures of the database apart by their SQLSTATE (appendix A of PostgreSQL's manual), however deep the query layer has
 *  wrapped them. */

interface DatabaseFailure {
  readonly code: string;
  readonly table?: string;
}

/** Classes that blame the values: data exceptions, violated constraints, limits of the program, wrong counts. */
const dataClasses = new Set(["21", "22", "23", "54"]);
/** Classes that pass by themselves: connections, resources (a full disk), operators' interventions, system errors. */
const passingClasses = new Set(["08", "53", "57", "58"]);
/** How Node, the driver and the embedded database's thread say that there is nobody to ask. */
const passingCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "ENOENT"]);
const passingWords = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

/** Thrown by queries while the embedded database is being restarted. */
export class DatabaseStopped extends Error {
  readonly code = "57P01";
}

/** The values of the query are at fault: it would fail again. */
export function isDataError(error: unknown): boolean {
  return dataClasses.has(findFailure(error)?.code.slice(0, 2) ?? "");
}

/** The table whose constraint was violated. */
export function tableOf(error: unknown): string | undefined {
  return findFailure(error)?.table;
}

/** The database cannot be reached or cannot work right now: the same query may succeed later. */
export function isDatabaseDown(error: unknown): boolean {
  if (!isFromDatabase(error)) return false;
  const failure = findFailure(error);
  if (failure && (passingClasses.has(failure.code.slice(0, 2)) || passingCodes.has(failure.code))) return true;
  return causesOf(error).some(({ message }) => passingWords.test(message));
}

/** One line for the log: never the query's parameters, which are what people sent. */
export function describeError(error: unknown): string {
  const causes = causesOf(error);
  return causes.length > 0 ? causes.map(({ message }) => withoutParameters(message)).join(": ") : String(error);
}

/** The query layer repeats every parameter in its messages and stacks. The frames behind them go too: parameters may look like
 *  frames. */
export function withoutParameters(text: string): string {
  const start = text.includes("Failed query: ") ? text.indexOf("\nparams: ") : -1;
  return start < 0 ? text : text.slice(0, start);
}

/** A refused connection to another server than the database is not ours to judge. */
function isFromDatabase(error: unknown): boolean {
  return causesOf(error).some(
    (one) => "query" in one || one instanceof DatabaseStopped || "severity" in one || passingWords.test(one.message),
  );
}

function findFailure(error: unknown): DatabaseFailure | undefined {
  return causesOf(error).find(
    (one): one is Error & DatabaseFailure => typeof (one as { code?: unknown }).code === "string",
  );
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < 10; one = one.cause) causes.push(one);
  return causes;
}
