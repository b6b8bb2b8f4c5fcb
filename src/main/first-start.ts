import { createKey } from "../accounts/keys.ts";
import { allScopes } from "../accounts/scopes.ts";
import { createWorkspace, listWorkspaces } from "../accounts/workspaces.ts";
import { grantCredits } from "../credits/ledger.ts";
import { picosPerDollar } from "../credits/money.ts";
import type { Queries } from "../ports/database.ts";

/** On an empty database: a workspace that can try everything, and a key for it. Undefined on later starts. */
export async function welcomeFirstStart(queries: Queries): Promise<{ key: string } | undefined> {
  if ((await listWorkspaces(queries)).length > 0) return undefined;
  return queries.transaction(async (transaction) => {
    const workspace = await createWorkspace(transaction, "default", { gateway: "PLUS", extraction: "Professional" });
    await grantCredits(transaction, workspace.id, 10n * picosPerDollar, "welcome");
    const { key } = await createKey(transaction, {
      workspaceId: workspace.id,
      name: "first key",
      scopes: [...allScopes],
    });
    return { key };
  });
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
  const intro = `\nTry it (engines fetch their models at the first start; ${baseUrl}/readyz tells when each is ready):\n`;
  return wanted.length === 0 ? "" : intro + wanted.map((service) => requests[service]).join("");
}
