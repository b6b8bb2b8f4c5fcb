import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { rolldown } from "rolldown";
import { readWav } from "../../../src/audio/wav.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { findBrowser } from "../find-browser.ts";
import { readClip } from "../speech-clips.ts";

/** Louder than silence, of a full scale of 1. */
export const LOUD_RMS = 0.01;

/** What the page offers to tests. */
declare const window: {
  call: {
    events: PageEvent[];
    loudness: { at: number; rms: number }[];
    start(options: object): Promise<void>;
    say(samples: number[], rate: number): Promise<number>;
    sound(): string;
    // biome-ignore lint/suspicious/noExplicitAny: every action has its own
    [action: string]: any;
  };
};

/** A page with other people's client in it, on an address where browsers allow the microphone. */
export interface CallBrowser {
  newCaller(): Promise<Caller>;
  close(): Promise<void>;
}

export interface PageEvent {
  readonly at: number;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: events have every shape
  readonly data: any;
}

export interface StartOptions {
  endpoint?: string;
  headers?: Record<string, string>;
  requestData?: object;
  /** For `connect` instead of `startBotAndConnect`. */
  params?: object;
  isRelayOnly?: boolean;
  /** Uses the browser's own fake microphone. */
  hasDevice?: boolean;
}

export async function openCallBrowser(options: { microphoneFile?: string; page?: string } = {}): Promise<CallBrowser> {
  const script = await bundle(options.page ?? "page.js");
  const server = await serve(script);
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launch({
    executablePath: findBrowser()!,
    args: [
      "--no-sandbox",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      "--autoplay-policy=no-user-gesture-required",
      ...(options.microphoneFile ? [`--use-file-for-fake-audio-capture=${options.microphoneFile}%noloop`] : []),
    ],
  });
  // Pages are tabs of one window, which this one keeps open: a window for each costs most of a second of a core.
  const context = await browser.newContext();
  await context.newPage();
  return {
    async newCaller() {
      const page = await context.newPage();
      await page.goto(`http://localhost:${port}/`);
      return new Caller(page);
    },
    async close() {
      await browser.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** One page that calls. */
export class Caller {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async start({ isRelayOnly, ...options }: StartOptions): Promise<void> {
    await this.page.evaluate((given) => window.call.start(given as never), { ...options, relayOnly: isRelayOnly });
  }

  /** Says a clip into the microphone; resolves with the page's time at its end. */
  say(clip: string | Uint8Array): Promise<number> {
    const { samples, sampleRateHz } = readWav(typeof clip === "string" ? readClip(clip) : clip)!;
    return this.page.evaluate(([words, rate]) => window.call.say(words, rate), [Array.from(samples), sampleRateHz] as [
      number[],
      number,
    ]);
  }

  do<Result>(
    action: "speak" | "request" | "sendText" | "mute" | "stop" | "state",
    ...given: unknown[]
  ): Promise<Result> {
    return this.page.evaluate(([name, values]) => window.call[name](...values), [action, given] as const) as never;
  }

  route(): Promise<string> {
    return this.page.evaluate(() => window.call.route());
  }

  /** How long sound waited in the page's own buffer so far: seconds, summed over samples, and the samples. */
  buffered(): Promise<{ seconds: number; samples: number }> {
    return this.page.evaluate(() => window.call.buffered());
  }

  events(): Promise<PageEvent[]> {
    return this.page.evaluate(() => window.call.events);
  }

  /** The first event, past or future, that fits. */
  async waitFor(
    name: string,
    fits: (event: PageEvent) => boolean = () => true,
    { after = 0, withinMs = 120_000 } = {},
  ): Promise<PageEvent> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      // Only what may fit leaves the page: all of it, ten times a second, would take the processor from what is measured.
      const named = await this.page.evaluate(
        ([wanted, from]) => window.call.events.filter((event) => event.name === wanted && event.at >= from),
        [name, after] as const,
      );
      const found = named.find(fits);
      if (found) return found;
      if (Date.now() > deadline) {
        const seen = (await this.events()).map((event) =>
          `${event.name} ${JSON.stringify(event.data ?? "")}`.slice(0, 100),
        );
        throw new Error(`no ${name} that fits in:\n${seen.slice(-60).join("\n")}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** When the page was louder than silence, in the page's time. */
  loud(after = 0): Promise<number[]> {
    return this.page.evaluate(
      ([from, least]) => window.call.loudness.filter(({ at, rms }) => at > from && rms > least).map(({ at }) => at),
      [after, LOUD_RMS] as const,
    );
  }

  /** What the page played, at 16 kHz. */
  async sound(): Promise<Float32Array> {
    const bytes = Buffer.from(await this.page.evaluate(() => window.call.sound()), "base64");
    return new Float32Array(Uint8Array.from(bytes).buffer);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

async function bundle(page: string): Promise<string> {
  const input = join(packageRoot(), "tests", "support", "call", page);
  const made = await rolldown({
    input,
    platform: "browser",
    logLevel: "silent",
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  });
  const { output } = await made.generate({ format: "iife" });
  return output[0].code;
}

function serve(script: string): Promise<Server> {
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : '<!doctype html><div id="root"></div><script src="/page.js"></script>');
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
