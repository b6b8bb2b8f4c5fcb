import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findBrowser } from "../find-browser.ts";

export type Theme = "light" | "dark";

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser()!, args: ["--no-sandbox"] });
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
      viewport: { width, height: width < 600 ? 844 : 900 },
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
    await this.page.waitForFunction('document.querySelector(".skeleton") === null');
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

  /** What axe finds that keeps people out. */
  async seriousFindings(): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page: this.page }).analyze();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  }

  leave(): Promise<void> {
    return this.page.context().close();
  }
}
