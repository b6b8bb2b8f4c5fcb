import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";

/** Chromium over its debugging socket: one process prints all pages. */
export async function startPrinter(): Promise<{ print(html: string): Promise<Buffer>; stop(): void }> {
  const profile = mkdtempSync(join(tmpdir(), "print-"));
  const child = spawn(
    "chromium",
    [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const address = await new Promise<string>((resolve, reject) => {
    let seen = "";
    child.stderr.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      const found = /ws:\/\/\S+/.exec(seen);
      if (found) resolve(found[0]);
    });
    child.on("exit", () => reject(new Error(`Chromium did not start: ${seen.slice(-300)}`)));
  });
  const socket = new WebSocket(address, { maxPayload: 200_000_000 });
  await new Promise((resolve) => socket.once("open", resolve));
  const waiting = new Map<number, (message: { result?: unknown; error?: { message: string } }) => void>();
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString());
    waiting.get(message.id)?.(message);
  });
  let next = 0;
  const call = <Result>(method: string, params: object, sessionId?: string): Promise<Result> =>
    new Promise((resolve, reject) => {
      const id = ++next;
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result as Result)));
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  const { targetId } = await call<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await call<{ sessionId: string }>("Target.attachToTarget", { targetId, flatten: true });
  const { frameTree } = await call<{ frameTree: { frame: { id: string } } }>("Page.getFrameTree", {}, sessionId);
  return {
    async print(html) {
      await call("Page.setDocumentContent", { frameId: frameTree.frame.id, html }, sessionId);
      const { data } = await call<{ data: string }>(
        "Page.printToPDF",
        {
          preferCSSPageSize: true,
          printBackground: true,
          marginTop: 0.5,
          marginBottom: 0.5,
          marginLeft: 0.5,
          marginRight: 0.5,
        },
        sessionId,
      );
      return Buffer.from(data, "base64");
    },
    stop() {
      socket.close();
      child.once("exit", () => rmSync(profile, { recursive: true, force: true }));
      child.kill();
    },
  };
}

/** LibreOffice: all pages of one kind in one go. */
export function convertOffice(pages: ReadonlyMap<string, string>, filter: string, to: string): Map<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "office-"));
  const files = [...pages].map(([name, html]) => {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, html);
    return file;
  });
  execFileSync(
    "soffice",
    [
      `-env:UserInstallation=file://${folder}/profile`,
      "--headless",
      `--infilter=${filter}`,
      "--convert-to",
      to,
      "--outdir",
      folder,
      ...files,
    ],
    { stdio: "ignore" },
  );
  const extension = to.split(":")[0]!;
  const made = new Map([...pages.keys()].map((name) => [name, readFileSync(join(folder, `${name}.${extension}`))]));
  rmSync(folder, { recursive: true, force: true });
  return made;
}

export function setWithGroff(source: string): Buffer {
  const postscript = execFileSync("groff", ["-k", "-t", "-Tps", "-P-pa4"], {
    input: source,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return execFileSync("ps2pdf", ["-", "-"], { input: postscript, maxBuffer: 50_000_000 });
}

/** A PDF printed, put on a scanner a little askew, and scanned in grey. */
export function scan(pdf: Buffer, angle: number, quality: number): Buffer {
  const png = execFileSync(
    "gs",
    ["-q", "-dNOPAUSE", "-dBATCH", "-dLastPage=1", "-sDEVICE=pnggray", "-r150", "-sOutputFile=-", "-"],
    { input: pdf, maxBuffer: 100_000_000 },
  );
  return execFileSync(
    "convert",
    [
      "png:-",
      "-background",
      "white",
      "-rotate",
      String(angle),
      "-attenuate",
      "0.25",
      "+noise",
      "Gaussian",
      "-blur",
      "0x0.6",
      "-quality",
      String(quality),
      "jpg:-",
    ],
    { input: png, maxBuffer: 100_000_000 },
  );
}

/** Pictures as the pages of one TIFF, as a scanner with a feeder leaves them. */
export function stack(pictures: readonly Buffer[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "stack-"));
  const files = pictures.map((picture, index) => {
    const file = join(folder, `${index}.jpg`);
    writeFileSync(file, picture);
    return file;
  });
  const made = execFileSync("convert", [...files, "-compress", "JPEG", "-quality", "75", "tiff:-"], {
    maxBuffer: 200_000_000,
  });
  rmSync(folder, { recursive: true, force: true });
  return made;
}

export function joinPdfs(pdfs: readonly Buffer[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "join-"));
  const files = pdfs.map((pdf, index) => {
    const file = join(folder, `${index}.pdf`);
    writeFileSync(file, pdf);
    return file;
  });
  execFileSync("gs", ["-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", `-sOutputFile=${folder}/all.pdf`, ...files]);
  const made = readFileSync(join(folder, "all.pdf"));
  rmSync(folder, { recursive: true, force: true });
  return made;
}

/** A message with a cover text and attachments. */
export function writeMail(text: string, attachments: readonly { name: string; bytes: Buffer }[]): Buffer {
  const parts = attachments.map(
    ({ name, bytes }) =>
      `--cut\r\nContent-Type: application/pdf; name="${name}"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${bytes.toString("base64").replace(/(.{76})/g, "$1\r\n")}\r\n`,
  );
  return Buffer.from(
    `From: Accounts Desk <accounts@forwarder.example>\r\nTo: books@office.example\r\nSubject: documents\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="cut"\r\n\r\n--cut\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n${parts.join("")}--cut--\r\n`,
  );
}
