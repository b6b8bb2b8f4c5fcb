import { Encoder } from "@evan/opus";
import nodeDataChannel, { type DataChannel, type PeerConnection, type Track } from "node-datachannel";
import { openDecoder } from "../../../src/adapters/media/opus-codecs.ts";
import { readRtp, writeRtp } from "../../../src/adapters/media/rtp.ts";
import { serverAddresses } from "../../../src/adapters/media/server-addresses.ts";
import type { IceServer } from "../../../src/ports/media.ts";
import { call } from "../call.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
type Message = any;

const ssrc = 4711;
const candidateLines = /^a=(candidate:.*|end-of-candidates)\r?\n/gm;
const connectWithinMs = 30_000;

/** A caller without a browser: what a telephone gateway would be. */
export class CallClient {
  /** As browsers offer: without candidates, which follow. (This library can take no packet before it has the answer.) */
  readonly offer: string;
  readonly candidates: { candidate: string; sdp_mid: string; sdp_mline_index: number }[];
  readonly connected: Promise<void>;
  readonly messages: Message[] = [];
  readonly #connection: PeerConnection;
  readonly #channel: DataChannel;
  readonly #track: Track;
  #sequence = 0;

  private constructor(connection: PeerConnection, channel: DataChannel, track: Track, offer: string) {
    this.#connection = connection;
    this.#channel = channel;
    this.#track = track;
    this.offer = offer.replace(candidateLines, "");
    this.candidates = (offer.match(candidateLines) ?? [])
      .filter((line) => line.startsWith("a=candidate:"))
      .map((line) => ({ candidate: line.trim().slice(2), sdp_mid: "0", sdp_mline_index: 0 }));
    channel.onMessage((text) => this.messages.push(JSON.parse(String(text))));
    this.connected = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not connected: ${connection.state()}`)), connectWithinMs);
      channel.onOpen(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    // Only those who wait for it are told.
    this.connected.catch(() => {});
  }

  static async open(iceServers: readonly IceServer[] = []): Promise<CallClient> {
    const connection = new nodeDataChannel.PeerConnection("caller", {
      iceServers: serverAddresses(iceServers),
      disableAutoNegotiation: true,
    });
    const audio = new nodeDataChannel.Audio("0", "SendRecv");
    audio.addOpusCodec(111, "minptime=10;useinbandfec=1");
    audio.addSSRC(ssrc, "caller", "caller", "voice");
    const track = connection.addTrack(audio);
    track.setMediaHandler(new nodeDataChannel.RtcpReceivingSession());
    const channel = connection.createDataChannel("chat");
    const offer = await new Promise<string>((resolve) => {
      connection.onGatheringStateChange((state) => {
        if (state === "complete") resolve(connection.localDescription()!.sdp);
      });
      connection.setLocalDescription("offer");
    });
    return new CallClient(connection, channel, track, offer);
  }

  /** A call with the session that was minted, as far as the agent being ready. */
  static async join(session: { url: string; token: string }): Promise<CallClient> {
    const client = await CallClient.open();
    const endpoint = `${session.url.replace("localhost", "127.0.0.1")}?token=${session.token}`;
    const { json: opened } = await call(endpoint, { json: { sdp: client.offer, type: "offer" } });
    client.answer(opened.sdp);
    await client.connected;
    client.send({ label: "rtvi-ai", type: "client-ready", id: "1", data: { version: "2.1.0" } });
    await client.waitFor(({ type }) => type === "bot-ready");
    return client;
  }

  /** From now on, what is said to the caller, at the rate of hearing. */
  async record(): Promise<Int16Array[]> {
    const decoder = await openDecoder();
    const heard: Int16Array[] = [];
    this.#track.onMessage((bytes) => {
      const packet = readRtp(bytes);
      if (packet?.payloadType === 111) heard.push(decoder.decode(packet.payload));
    });
    return heard;
  }

  /** So many packets are on their way and never arrive. */
  losePackets(count: number): void {
    this.#sequence += count;
  }

  answer(sdp: string): void {
    this.#connection.setRemoteDescription(sdp, "answer");
  }

  send(message: object): void {
    this.#channel.sendMessage(JSON.stringify(message));
  }

  /** Says 16-bit PCM at 16 kHz at the pace of a speaker, then two seconds of silence. */
  async say(pcm: Uint8Array): Promise<void> {
    const encoder = new Encoder({ channels: 1, sample_rate: 16_000, application: "voip" });
    const frameBytes = 640;
    const whole = Buffer.concat([pcm, Buffer.alloc(2 * 32_000)]);
    const startedMs = performance.now();
    for (let at = 0; at + frameBytes <= whole.length; at += frameBytes) {
      this.#sendFrame(encoder.encode(whole.subarray(at, at + frameBytes)));
      const dueMs = at / 32 - (performance.now() - startedMs);
      if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
    }
  }

  /** Makes a sound without end, 50 packets a second, until the timer is cleared. */
  hum(): NodeJS.Timeout {
    const encoder = new Encoder({ channels: 1, sample_rate: 16_000, application: "voip" });
    const sound = Int16Array.from({ length: 320 }, (_, index) => 5000 * Math.sin(index / 6));
    const packet = Uint8Array.from(encoder.encode(sound));
    const startedMs = performance.now();
    let sent = 0;
    return setInterval(() => {
      for (; sent * 20 < performance.now() - startedMs; sent++) this.#sendFrame(packet);
    }, 20);
  }

  #sendFrame(payload: Uint8Array): void {
    this.#sequence += 1;
    const header = {
      payloadType: 111,
      sequence: this.#sequence,
      timestamp: this.#sequence * 960,
      ssrc,
      isMarked: false,
    };
    if (this.#track.isOpen()) this.#track.sendMessageBinary(writeRtp(header, payload));
  }

  async waitFor(fits: (message: Message) => boolean, withinMs = 60_000): Promise<Message> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const found = this.messages.find(fits);
      if (found) return found;
      if (Date.now() > deadline)
        throw new Error(`nothing that fits in ${JSON.stringify(this.messages).slice(0, 2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** What the two sides use to reach each other: host, srflx, prflx or relay. */
  get route(): (string | undefined)[] {
    const pair = this.#connection.getSelectedCandidatePair();
    return [pair?.local.type, pair?.remote.type];
  }

  close(): void {
    this.#connection.close();
  }
}
