// Writes the TypeScript types of each OpenAPI document NAME.json in a folder to NAME.ts beside it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTypescript, { astToString } from "openapi-typescript";

const folder = process.argv[2];
for (const file of readdirSync(folder).filter((name) => /^(voice|gateway|extraction)\.json$/.test(name))) {
  const types = await openapiTypescript(JSON.parse(readFileSync(join(folder, file), "utf8")));
  writeFileSync(join(folder, file.replace(".json", ".ts")), astToString(types));
}
