import { createKey } from "../accounts/keys/create-key.ts";
import { listKeys } from "../accounts/keys/list-keys.ts";
import { allScopes } from "../accounts/scopes.ts";
import { createWorkspace, listWorkspaces } from "../accounts/workspaces.ts";
import { grantCredits } from "../credits/ledger.ts";
import { picosPerDollar } from "../credits/money.ts";
import { Problem } from "../platform/errors.ts";
import type { Queries } from "../ports/database.ts";

const defaultWorkspace = "default";

/** On an empty database: a workspace that can try everything. */
export async function welcomeFirstStart(queries: Queries): Promise<void> {
  if ((await listWorkspaces(queries)).length > 0) return;
  const welcome = queries.transaction(async (transaction) => {
    const plans = { gatewayPlan: "PLUS", extractionPlan: "Professional" } as const;
    const workspace = await createWorkspace(transaction, defaultWorkspace, plans);
    await grantCredits(transaction, workspace.id, 10n * picosPerDollar, "welcome");
  });
  await welcome.catch((error) => {
    // Another server that starts at the same moment was quicker.
    if (!(error instanceof Problem && error.kind === "conflict")) throw error;
  });
}

/** A key for the first workspace, as long as it has none: made when somebody can see it, because it is shown once. */
export async function createFirstKey(queries: Queries): Promise<string | undefined> {
  const workspace = (await listWorkspaces(queries)).find(({ name }) => name === defaultWorkspace);
  if (!workspace || (await listKeys(queries, workspace.id)).length > 0) return undefined;
  const wanted = { workspaceId: workspace.id, name: "first key", scopes: [...allScopes] };
  return (await createKey(queries, wanted)).key;
}

/** How to make a key, as long as none of the first workspace was ever used. */
export async function keyHint(queries: Queries): Promise<string | undefined> {
  const workspace = (await listWorkspaces(queries)).find(({ name }) => name === defaultWorkspace);
  if (!workspace || (await listKeys(queries, workspace.id)).some(({ lastUsedAt }) => lastUsedAt)) return undefined;
  return `Make a key with: ./parlance keys create --workspace ${defaultWorkspace} --name mine --scopes all`;
}

/** One line, which works when pasted, for each of these services. */
export function firstRequests(baseUrl: string, key: string, services: readonly string[]): string {
  const bearer = `-H "Authorization: Bearer ${key}" -H "Content-Type: application/json"`;
  const requests: Record<string, string> = {
    voice: `
  # speech
  curl -s ${baseUrl}/v1/speech ${bearer} -d '{"text":"Hello from your own voice platform."}' -o hello.wav
`,
    gateway: `
  # model gateway
  curl -s ${baseUrl}/gateway/v1/chat/completions ${bearer} -d '{"model":"local/tinyllama-1.1b-chat","messages":[{"role":"user","content":"What is the capital of France?"}]}'
`,
    extraction: `
  # document extraction
  curl -s ${baseUrl}/extraction/v1/extract -H "X-API-KEY: ${key}" -F file=@docs/examples/invoice.pdf
`,
  };
  const wanted = Object.keys(requests).filter((service) => services.includes(service));
  const intro = `\nTry it (engines fetch their models at the first start; ./parlance doctor tells when each is ready):\n`;
  return wanted.length === 0 ? "" : intro + wanted.map((service) => requests[service]).join("");
}
