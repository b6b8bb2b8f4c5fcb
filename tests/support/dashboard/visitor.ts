import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findBrowser } from "../find-browser.ts";

/** What measures a page. */
declare const window: { axe: typeof axe };
declare const document: axe.ElementContext & {
  documentElement: { scrollWidth: number; clientWidth: number; scrollHeight: number };
};

export type Theme = "light" | "dark";

/** With a WAV file as microphone, played over and over from the moment a page listens. */
export function openBrowser(microphoneFile?: string): Promise<Browser> {
  const microphone = [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    "--autoplay-policy=no-user-gesture-required",
    `--use-file-for-fake-audio-capture=${microphoneFile}`,
  ];
  const args = ["--no-sandbox", ...(microphoneFile ? microphone : [])];
  return chromium.launch({ executablePath: findBrowser()!, args });
}

interface VisitorOptions {
  theme?: Theme;
  width?: number;
  /** Where somebody signed in, by their `saved()`. */
  state?: Awaited<ReturnType<BrowserContext["storageState"]>>;
}

/** One person at one browser. Whatever the console complains about is kept. */
export class Visitor {
  readonly page: Page;
  readonly complaints: string[] = [];
  readonly #url: string;

  private constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
    page.on("console", (message) => {
      // Browsers report every refused request; what the page makes of it is tested by what it shows.
      const isRefusal = /Failed to load resource.*status of 4\d\d/.test(message.text());
      if (message.type() === "error" && !isRefusal) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
  }

  static async arrive(browser: Browser, url: string, options: VisitorOptions = {}): Promise<Visitor> {
    const width = options.width ?? 1440;
    const context = await browser.newContext({
      colorScheme: options.theme ?? "light",
      // Without a graphics card every frame of a spinner is drawn by the processor that its engine needs.
      reducedMotion: "reduce",
      viewport: { width, height: width < 600 ? 844 : 900 },
      // As on a phone: scroll bars take no room.
      ...(width < 600 ? { isMobile: true, hasTouch: true } : {}),
      ...(options.state ? { storageState: options.state } : {}),
    });
    context.setDefaultTimeout(60_000);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    return new Visitor(await context.newPage(), url);
  }

  /** Opens an address and waits until it shows what it has. */
  async open(path: string): Promise<void> {
    await this.page.goto(path.startsWith("http") ? path : this.#url + path);
    await this.settle();
  }

  async settle(): Promise<void> {
    await this.page.locator("h1").first().waitFor();
    await this.page.locator(".skeleton").first().waitFor({ state: "detached" });
    // What there is to choose from comes after the page.
    await this.page.locator("select:not(:has(option))").first().waitFor({ state: "detached" });
  }

  async fill(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole("button", { name, exact: true }).click();
  }

  text(): Promise<string> {
    return this.page.locator("body").innerText();
  }

  saved() {
    return this.page.context().storageState();
  }

  /** What keeps people out, by axe, in both themes; and by how much the page is too wide for a phone. */
  async problems(): Promise<string[]> {
    // Brought in by hand: axe's own package for Playwright opens a second page for every run, which took four times as long.
    await this.page.evaluate(`${axe.source}; undefined`);
    // Colours fade from one theme to the other and when a page comes; what is judged is where they end.
    await this.page.evaluate(`
      const still = new CSSStyleSheet();
      still.replaceSync("*, *::before, *::after { transition: none !important; animation: none !important; }");
      document.adoptedStyleSheets.push(still);
    `);
    const found = await this.#seriousFindings();
    await this.page.emulateMedia({ colorScheme: "dark" });
    // The rest is the same in every theme.
    found.push(...(await this.#seriousFindings(["color-contrast"])));
    await this.page.emulateMedia({ colorScheme: "light" });
    const size = this.page.viewportSize()!;
    await this.page.setViewportSize({ width: 390, height: 844 });
    const { extraWidth } = await this.measure();
    await this.page.setViewportSize(size);
    return extraWidth > 0 ? [...found, `${extraWidth} pixels too wide for a phone`] : found;
  }

  #seriousFindings(runOnly?: string[]): Promise<string[]> {
    const options: axe.RunOptions = {
      resultTypes: ["violations"],
      iframes: false,
      preload: false,
      ...(runOnly ? { runOnly } : {}),
    };
    return this.page.evaluate(async (given) => {
      const { violations } = await window.axe.run(document, given);
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
    }, options);
  }

  /** How tall the page is, and by how much it is wider than the window. */
  measure(): Promise<{ height: number; extraWidth: number }> {
    return this.page.evaluate(() => {
      const { scrollHeight, scrollWidth, clientWidth } = document.documentElement;
      return { height: scrollHeight, extraWidth: scrollWidth - clientWidth };
    });
  }

  leave(): Promise<void> {
    return this.page.context().close();
  }
}
