import { call } from "../call.ts";
import { clips, readPcm } from "../speech-clips.ts";
import { CallClient } from "./call-client.ts";

/** A caller in a network of its own: says a clip, lets something be spoken, and prints what came of it. */
const [url, key] = process.argv.slice(2);
const { json: session } = await call(`${url}/v1/realtime/session`, { key: key!, json: { mode: "external" } });
const client = await CallClient.open(session.ice_servers);
const endpoint = `${session.url}?token=${session.token}`;
const { json: opened } = await call(endpoint, { json: { sdp: client.offer, type: "offer" } });
client.answer(opened.sdp);
await call(endpoint, { method: "PATCH", json: { pc_id: opened.pc_id, candidates: client.candidates } });
await client.connected;
client.send({ label: "rtvi-ai", type: "client-ready", id: "1", data: { version: "2.1.0" } });
await client.waitFor(({ type }) => type === "bot-ready");
await client.say(readPcm(clips.english));
const turn = await client.waitFor(({ type, data }) => type === "user-transcription" && data.final, 120_000);
client.send({
  label: "rtvi-ai",
  type: "client-message",
  id: "2",
  data: { t: "speak", d: { text: "I can hear you well." } },
});
await client.waitFor(({ type }) => type === "bot-stopped-speaking", 120_000);
console.log(JSON.stringify({ heard: turn.data.text, route: client.route }));
client.close();
process.exit(0);
