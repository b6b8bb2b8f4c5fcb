import { settingGroups } from "../src/platform/settings/setting-groups.ts";

/** Prints .env.example: `npm run --silent env-example > .env.example`. */
console.log(
  "# Every setting with its default. Copy to .env and change what you need; variables that are set already win.",
);
for (const [group, members] of Object.entries(settingGroups)) {
  console.log(`\n# ---- ${group}`);
  for (const { env, fallback, help } of Object.values(members)) console.log(`# ${help}\n#${env}=${fallback}`);
}
