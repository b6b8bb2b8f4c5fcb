import { connectCall, send } from "./call/connect.js";

const find = (id) => document.getElementById(id);
let call;

find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (call) call.hangUp();
  else start().catch((error) => showEnd(error.message));
});

find("say").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = find("text").value.trim();
  if (!call || text === "") return;
  if (find("mode").value === "external") call.tell("client-message", { t: "speak", d: { text } });
  else call.tell("send-text", { content: text });
  find("text").value = "";
});

async function start() {
  show("Connecting...");
  find("call").disabled = true;
  find("words").replaceChildren();
  const session = await openSession(find("secret").value.trim());
  const microphone = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true },
  });
  call = await connectCall({
    ...session,
    microphone,
    library: "parlance-call-page",
    onReady: showLive,
    onMessage: take,
    onEnd: (reason) => showEnd(reason ?? "Call ended."),
  });
}

/** A key mints a session; a token is one already. */
async function openSession(secret) {
  const endpoint = (path, token) => `${path}?token=${encodeURIComponent(token)}`;
  if (secret.startsWith("prt_")) return { endpoint: endpoint("/v1/realtime/session/offer", secret), iceServers: [] };
  const wanted = { mode: find("mode").value };
  if (find("language").value.trim()) wanted.language = find("language").value.trim();
  if (find("style").value.trim()) wanted.style_text = find("style").value.trim();
  const session = await send("POST", "/v1/realtime/session", wanted, { authorization: `Bearer ${secret}` });
  // The same server as this page, whatever its public address.
  return { endpoint: endpoint(new URL(session.url).pathname, session.token), iceServers: session.ice_servers };
}

function take({ type, data }) {
  if (type === "user-transcription") write("You", "user", data.text, data.final);
  else if (type === "bot-output" && data.spoken_status !== "new") {
    const spoken = data.spoken_progress?.accumulated_text ?? data.text;
    write("Agent", `bot-${data.segment_id}`, spoken, data.spoken_status !== "in-progress");
  } else if (type === "metrics") showLatency(data.ttfb);
  else if (type === "error") show(data.message);
  else if (type === "error-response") show(data.error);
}

/** One line per turn; it stays open while it may change. */
function write(who, key, text, isFinal) {
  const known = document.querySelector(`#words .is-open[data-key="${key}"]`);
  const line = known ?? document.createElement("li");
  line.dataset.who = who;
  line.dataset.key = key;
  line.textContent = text;
  line.className = isFinal ? "" : "is-open";
  if (!known) find("words").append(line);
}

function showLive() {
  show("Connected. Talk.");
  find("call").textContent = "Hang up";
  find("call").classList.add("is-live");
  find("call").disabled = false;
  find("say").hidden = false;
}

function showLatency(stages) {
  show(stages.map(({ processor, value }) => `${processor} ${Math.round(value * 1000)} ms`).join(", "));
}

function show(text) {
  find("state").textContent = text;
}

function showEnd(reason) {
  call = undefined;
  find("call").textContent = "Call";
  find("call").classList.remove("is-live");
  find("call").disabled = false;
  find("say").hidden = true;
  show(reason);
}
