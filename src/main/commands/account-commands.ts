import type { Command } from "commander";
import { readSettings, usesPostgres } from "../../platform/settings/settings.ts";
import { makeDataFolder } from "../data-folder.ts";
import { printRows } from "./print.ts";
import { openHere, runAnywhere } from "./run-anywhere.ts";

interface JsonOption {
  json?: boolean;
}

export function addAccountCommands(program: Command): void {
  const workspaces = program.command("workspaces").description("Workspaces and their plans.");
  act(
    workspaces.command("create <name>").description("Create a workspace (plans FREE and Free until set)."),
    "workspaces create",
    (name) => ({ name }),
  );
  act(workspaces.command("list").description("List workspaces."), "workspaces list", () => ({}));
  act(
    workspaces
      .command("set-plan <name>")
      .description("Change a workspace's plans.")
      .option("--gateway <plan>", "FREE, PLUS, PRO or ENTERPRISE")
      .option("--extraction <plan>", "Free, Starter, Professional or Enterprise")
      .option("--extraction-per-hour <number>", "requests an hour on the Enterprise plan", wholeNumber),
    "workspaces set-plan",
    (name, options) => ({ name, ...options }),
  );

  const keys = program.command("keys").description("API keys.");
  act(
    keys
      .command("create")
      .description("Create a key. It is shown once and cannot be recovered.")
      .requiredOption("--workspace <name>", "whose key")
      .requiredOption("--name <name>", "what the key is for")
      .requiredOption("--scopes <list>", "scopes separated by commas, or all")
      .option("--expires-at <date>", "last day or moment, such as 2027-01-31")
      .option("--rate-per-minute <number>", "its own request limit", wholeNumber)
      .option("--tokens-per-minute <number>", "tokens of the gateway's models in any minute", wholeNumber)
      .option("--daily-limit <usd>", "what it may cost in a day (UTC), such as 5.00")
      .option("--monthly-limit <usd>", "what it may cost in a calendar month (UTC)")
      .option("--models <list>", "the gateway's models it may use, such as local/*,openai/gpt-4o"),
    "keys create",
    ({ dailyLimit: dailyLimitUsd, monthlyLimit: monthlyLimitUsd, models, ...options }) => ({
      ...options,
      scopes: list(options.scopes),
      dailyLimitUsd,
      monthlyLimitUsd,
      ...(models === undefined ? {} : { models: list(models) }),
    }),
  );
  act(
    keys.command("list").description("List keys.").option("--workspace <name>", "of one workspace"),
    "keys list",
    (options) => options,
  );
  act(
    keys.command("revoke <id>").description("Revoke a key; it is refused everywhere within a second."),
    "keys revoke",
    (id) => ({ id }),
  );

  act(
    program
      .command("setup-link")
      .description("Print the link by which the first person becomes the owner of the dashboard (30 minutes, once)."),
    "setup-link",
    () => ({}),
  );
  const users = program.command("users").description("People who sign in to the dashboard.");
  act(users.command("list").description("List users and their workspaces."), "users list", () => ({}));
  act(
    users
      .command("reset-link <email>")
      .description("Print a link by which a user chooses a new password (24 hours, once).")
      .option("--remove-second-factor", "also remove the second factor, for a lost phone"),
    "users reset-link",
    (email, options) => ({ email, removesSecondFactor: options.removeSecondFactor === true }),
  );

  const credits = program.command("credits").description("Gateway credits.");
  act(
    credits
      .command("grant")
      .description("Add credits to a workspace.")
      .requiredOption("--workspace <name>", "to whom")
      .requiredOption("--amount <usd>", "how much, such as 5.00")
      .option("--note <text>", "why"),
    "credits grant",
    (options) => options,
  );
  act(
    credits.command("balance").description("Show a workspace's balance.").requiredOption("--workspace <name>", "whose"),
    "credits balance",
    (options) => options,
  );
  act(
    credits.command("audit").description("Add the whole ledger up and compare it with every balance."),
    "credits audit",
    () => ({}),
  );

  act(
    program
      .command("usage")
      .description("Requests per day and route.")
      .option("--workspace <name>", "of one workspace")
      .option("--days <number>", "how far back, default 30", wholeNumber),
    "usage",
    (options) => options,
  );

  program
    .command("migrate")
    .description("Bring the database up to date. `serve` does it too.")
    .option("--json", "print JSON")
    .action(async ({ json }: JsonOption) => {
      const settings = readSettings(process.env);
      if (!usesPostgres(settings)) makeDataFolder(settings.storage.dataDir);
      const opened = await openHere(settings, "migrate");
      await opened.close();
      if (json) console.log(JSON.stringify({ applied: opened.applied }));
      else
        console.log(
          opened.applied.length > 0 ? `Applied: ${opened.applied.join(", ")}` : "The database is up to date.",
        );
    });
}

/** Commander hands over the arguments, then the options, then the command; `toInput` gets all but the last. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the line above declared on the command
function act(command: Command, name: string, toInput: (...given: any[]) => object): void {
  command.option("--json", "print JSON").action(async (...given: unknown[]) => {
    const options = given.at(-2) as JsonOption;
    const result = await runAnywhere(readSettings(process.env), name, toInput(...given.slice(0, -1)));
    if (options.json) console.log(JSON.stringify(result));
    else printRows(result);
  });
}

function wholeNumber(text: string): number {
  return Number(text);
}

function list(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}
