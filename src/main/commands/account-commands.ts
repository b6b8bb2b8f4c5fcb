import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
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

  addRoutingCommands(program);

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

/** Changes count for the next request, on every server. */
function addRoutingCommands(program: Command): void {
  const routing = program.command("routing").description("Who serves which model of the gateway.");
  act(routing.command("show").description("Upstreams, aliases and the strategy."), "routing show", () => ({}));
  act(
    routing
      .command("set-strategy <strategy>")
      .description("How those who serve one model are put in order: order, weighted, cheapest, fastest or sticky."),
    "routing set-strategy",
    (strategy) => ({ strategy }),
  );

  const upstreams = program.command("upstreams").description("Whom the gateway asks for models.");
  act(upstreams.command("list").description("List upstreams; keys are never shown."), "upstreams list", () => ({}));
  act(
    upstreams
      .command("set <name>")
      .description("Add an upstream, or say anew all about it but its keys.")
      .option(
        "--provider <name>",
        "whose own API it is, such as openai, anthropic or groq: gives the rest its defaults",
      )
      .option("--url <address>", "its base address, with /v1")
      .option("--kind <kind>", "which dialect it speaks")
      .option("--prefix <provider>", "stands before its own names of models: openai makes gpt-4o openai/gpt-4o")
      .option("--models <list>", "patterns of what it serves besides what it lists")
      .option("--allowed <list>", "patterns of all that it may serve")
      .option(
        "--prices <json>",
        'USD for each token, such as {"acme/*":{"input":"0.000001","output":"0.000002"}}',
        json,
      )
      .option("--weight <number>", "how often it comes first, for the strategy weighted", wholeNumber)
      .option("--position <number>", "the lowest is asked first", wholeNumber)
      .option("--first-byte-ms <number>", "its patience instead of SVC_GATEWAY_FIRST_BYTE", wholeNumber)
      .option("--first-token-ms <number>", "its patience instead of SVC_GATEWAY_FIRST_TOKEN", wholeNumber)
      .option("--silence-ms <number>", "its patience instead of SVC_GATEWAY_SILENCE", wholeNumber)
      .option("--disabled", "keep it, but ask it for nothing"),
    "upstreams set",
    (name, { models, allowed, disabled, ...options }) => ({
      ...options,
      name,
      ...(models === undefined ? {} : { models: list(models) }),
      ...(allowed === undefined ? {} : { allowed: list(allowed) }),
      isEnabled: disabled !== true,
    }),
  );
  act(
    upstreams.command("remove <name>").description("Remove an upstream and its keys."),
    "upstreams remove",
    (name) => ({ name }),
  );
  act(
    upstreams
      .command("add-key <upstream>")
      .description("Add a key, which is read from standard input and stored sealed. Several take turns.")
      .option("--name <name>", "what it is")
      .option("--requests-per-minute <number>", "the key's own limit, on each server", wholeNumber),
    "upstreams add-key",
    (upstream, options) => ({ ...options, upstream, key: readFileSync(0, "utf8").trim() }),
  );
  act(upstreams.command("remove-key <id>").description("Remove a key."), "upstreams remove-key", (id) => ({ id }));

  const aliases = program.command("aliases").description("Names of your own for models of the gateway.");
  act(aliases.command("list").description("List aliases."), "aliases list", () => ({}));
  act(
    aliases
      .command("set <name> <models>")
      .description('Let a name stand for models, such as "acme/small*3,local/qwen": weights count for weighted.')
      .option("--strategy <strategy>", "order, weighted, cheapest, fastest or sticky"),
    "aliases set",
    (name, models, { strategy }) => ({ name, strategy, models: list(models).map(choice) }),
  );
  act(aliases.command("remove <name>").description("Remove an alias."), "aliases remove", (name) => ({ name }));
}

function choice(text: string): object {
  const [model, weight] = text.split("*");
  return { model, ...(weight === undefined ? {} : { weight: Number(weight) }) };
}

/** Commander hands over the arguments, then the options, then the command; `toInput` gets all but the last. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the line above declared on the command
function act(command: Command, name: string, toInput: (...given: any[]) => object): void {
  command.option("--json", "print JSON").action(async (...given: unknown[]) => {
    const { json, ...options } = given.at(-2) as JsonOption;
    const result = await runAnywhere(readSettings(process.env), name, toInput(...given.slice(0, -2), options));
    if (json) console.log(JSON.stringify(result));
    else printRows(result);
  });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("Write it as JSON.");
  }
}

function wholeNumber(text: string): number {
  return Number(text);
}

function list(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}
