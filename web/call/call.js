// A small client for live calls: RTCPeerConnection, the offer, and RTVI on the data channel. Nothing is loaded from elsewhere.
const find = (id) => document.getElementById(id);
const json = { "content-type": "application/json" };
const voice = new Audio();
let call;

find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (call) hangUp("Call ended.");
  else start().catch((error) => hangUp(error.message));
});

find("say").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = find("text").value.trim();
  if (!call || text === "") return;
  if (find("mode").value === "external") tell("client-message", { t: "speak", d: { text } });
  else tell("send-text", { content: text });
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
  const connection = new RTCPeerConnection({ iceServers: session.iceServers });
  call = { connection, microphone, endpoint: session.endpoint };
  connection.addTransceiver(microphone.getAudioTracks()[0], { direction: "sendrecv", streams: [microphone] });
  connection.ontrack = ({ track }) => {
    voice.srcObject = new MediaStream([track]);
    voice.play().catch(() => {});
  };
  connection.onconnectionstatechange = () => {
    if (connection.connectionState === "failed") hangUp("The connection failed. Is UDP open, or a TURN server set?");
  };
  const channel = connection.createDataChannel("chat");
  call.channel = channel;
  channel.onopen = () => {
    tell("client-ready", { version: "2.1.0", about: { library: "parlance-call-page" } });
    call.ping = setInterval(() => channel.send(`ping: ${Date.now()}`), 1000);
  };
  channel.onmessage = ({ data }) => take(JSON.parse(data));
  channel.onclose = () => hangUp("Call ended.");
  const waiting = [];
  connection.onicecandidate = ({ candidate }) => {
    if (!candidate) return;
    waiting.push({
      candidate: candidate.candidate,
      sdp_mid: candidate.sdpMid,
      sdp_mline_index: candidate.sdpMLineIndex,
    });
    sendCandidates(waiting);
  };
  await connection.setLocalDescription();
  const answer = await post("POST", session.endpoint, {
    sdp: connection.localDescription.sdp,
    type: "offer",
    pc_id: null,
    restart_pc: false,
  });
  call.id = answer.pc_id;
  await connection.setRemoteDescription({ type: "answer", sdp: answer.sdp });
  sendCandidates(waiting);
}

/** A key mints a session; a token is one already. */
async function openSession(secret) {
  const endpoint = (path, token) => `${path}?token=${encodeURIComponent(token)}`;
  if (secret.startsWith("prt_")) return { endpoint: endpoint("/v1/realtime/session/offer", secret), iceServers: [] };
  const wanted = { mode: find("mode").value };
  if (find("language").value.trim()) wanted.language = find("language").value.trim();
  if (find("style").value.trim()) wanted.style_text = find("style").value.trim();
  const session = await post("POST", "/v1/realtime/session", wanted, { authorization: `Bearer ${secret}` });
  // The same server as this page, whatever its public address.
  return { endpoint: endpoint(new URL(session.url).pathname, session.token), iceServers: session.ice_servers };
}

function sendCandidates(waiting) {
  if (!call?.id || waiting.length === 0) return;
  post("PATCH", call.endpoint, { pc_id: call.id, candidates: waiting.splice(0) }).catch(() => {});
}

async function post(method, path, body, headers = {}) {
  const response = await fetch(path, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const reply = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(reply.error?.message ?? response.statusText);
  return reply;
}

function tell(type, data) {
  call.channel.send(JSON.stringify({ label: "rtvi-ai", id: Math.random().toString(36).slice(2, 10), type, data }));
}

function take({ type, data, message }) {
  if (type === "signalling" && message.type === "peerLeft") hangUp("The other side hung up.");
  else if (type === "bot-ready") showLive();
  else if (type === "user-transcription") write("You", "user", data.text, data.final);
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

function hangUp(reason) {
  const ended = call;
  call = undefined;
  clearInterval(ended?.ping);
  ended?.connection.close();
  for (const track of ended?.microphone.getTracks() ?? []) track.stop();
  find("call").textContent = "Call";
  find("call").classList.remove("is-live");
  find("call").disabled = false;
  find("say").hidden = true;
  show(reason);
}
