import { CallClient } from "../../tests/support/call/call-client.ts";

/** Callers of bench/live/media.ts and churn.ts: each says a sound without end, and has one thing said to it where it is asked to. */
const clients = new Map<number, { client: CallClient; timer?: NodeJS.Timeout }>();

interface Asked {
  open?: number;
  answer?: number;
  speak?: number;
  close?: number;
  sdp?: string;
}

process.on("message", (message: Asked & { id: number }) => {
  void handle(message).then((value) => process.send!({ id: message.id, value }));
});
process.on("disconnect", () => process.exit(0));

async function handle({ open, answer, speak, close, sdp }: Asked) {
  if (open !== undefined) {
    const client = await CallClient.open();
    clients.set(open, { client });
    return client.offer;
  }
  if (answer !== undefined) {
    const entry = clients.get(answer)!;
    entry.client.answer(sdp!);
    await entry.client.connected;
    entry.timer = entry.client.hum();
  }
  if (speak !== undefined) {
    const { client } = clients.get(speak)!;
    const tell = (type: string, data: object) => client.send({ label: "rtvi-ai", type, id: "1", data });
    tell("client-ready", { version: "2.1.0" });
    await client.waitFor(({ type }) => type === "bot-ready");
    tell("client-message", { t: "speak", d: { text: "Hello there." } });
    await client.waitFor(({ type }) => type === "bot-stopped-speaking");
  }
  if (close !== undefined) {
    clearInterval(clients.get(close)?.timer);
    clients.get(close)?.client.close();
    clients.delete(close);
  }
  return undefined;
}
