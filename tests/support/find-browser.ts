import { existsSync } from "node:fs";

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function findBrowser(): string | undefined {
  return [process.env.TEST_CHROMIUM ?? "", ...browsers].find((path) => path !== "" && existsSync(path));
}

/** Why tests in a browser cannot run here; undefined when they can. */
export function whyNoBrowser(): string | undefined {
  return findBrowser() ? undefined : "there is no Chromium (apt-get install chromium, or TEST_CHROMIUM=path)";
}
