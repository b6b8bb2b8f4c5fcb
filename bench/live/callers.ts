import { CallClient } from "../../tests/support/call/call-client.ts";

/** Callers of bench/live/media.ts: each says a sound without end. */
const clients = new Map<number, { client: CallClient; timer?: NodeJS.Timeout }>();

process.on("message", (message: { id: number; open?: number; answer?: number; close?: number; sdp?: string }) => {
  void handle(message).then((value) => process.send!({ id: message.id, value }));
});
process.on("disconnect", () => process.exit(0));

async function handle({ open, answer, close, sdp }: { open?: number; answer?: number; close?: number; sdp?: string }) {
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
  if (close !== undefined) {
    clearInterval(clients.get(close)?.timer);
    clients.get(close)?.client.close();
    clients.delete(close);
  }
  return undefined;
}
