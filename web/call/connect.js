// The browser's side of a live call: RTCPeerConnection, the offer, and RTVI on the data channel. Nothing is loaded from
// elsewhere. The page beside this file and the dashboard's playground call with it.
const pingMs = 1000;

/** Types are in connect.d.ts. */
export async function connectCall({ endpoint, iceServers, microphone, library, onVoice, onReady, onMessage, onEnd }) {
  const connection = new RTCPeerConnection({ iceServers });
  const speaker = new Audio();
  let ping;
  let isOver = false;
  const end = (reason) => {
    if (isOver) return;
    isOver = true;
    clearInterval(ping);
    connection.close();
    for (const track of microphone.getTracks()) track.stop();
    speaker.srcObject = null;
    onEnd(reason);
  };
  connection.addTransceiver(microphone.getAudioTracks()[0], { direction: "sendrecv", streams: [microphone] });
  connection.ontrack = ({ track }) => {
    const stream = new MediaStream([track]);
    speaker.srcObject = stream;
    speaker.play().catch(() => {});
    onVoice?.(stream);
  };
  connection.onconnectionstatechange = () => {
    if (connection.connectionState === "failed") end("The connection failed. Is UDP open, or a TURN server set?");
  };
  const channel = connection.createDataChannel("chat");
  const tell = (type, data) => {
    const id = Math.random().toString(36).slice(2, 10);
    channel.send(JSON.stringify({ label: "rtvi-ai", id, type, data }));
  };
  channel.onopen = () => {
    tell("client-ready", { version: "2.1.0", about: { library } });
    ping = setInterval(() => channel.readyState === "open" && channel.send(`ping: ${Date.now()}`), pingMs);
  };
  channel.onclose = () => end();
  channel.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "bot-ready") onReady();
    else if (message.type === "signalling" && message.message?.type === "peerLeft") end("The other side hung up.");
    else onMessage(message);
  };
  try {
    await offer(connection, endpoint);
  } catch (error) {
    end();
    throw error;
  }
  return { tell, hangUp: () => end() };
}

async function offer(connection, endpoint) {
  const waiting = [];
  let id;
  const sendCandidates = () => {
    if (id && waiting.length > 0) send("PATCH", endpoint, { pc_id: id, candidates: waiting.splice(0) }).catch(() => {});
  };
  connection.onicecandidate = ({ candidate }) => {
    if (!candidate) return;
    const { candidate: line, sdpMid, sdpMLineIndex } = candidate;
    waiting.push({ candidate: line, sdp_mid: sdpMid, sdp_mline_index: sdpMLineIndex });
    sendCandidates();
  };
  await connection.setLocalDescription();
  const { sdp } = connection.localDescription;
  const answer = await send("POST", endpoint, { sdp, type: "offer", pc_id: null, restart_pc: false });
  id = answer.pc_id;
  await connection.setRemoteDescription({ type: "answer", sdp: answer.sdp });
  sendCandidates();
}

/** JSON there and back; a refusal is an error with the server's own words. */
export async function send(method, path, body, headers = {}) {
  const json = { "content-type": "application/json" };
  const response = await fetch(path, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const reply = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(reply.error?.message ?? response.statusText);
  return reply;
}
