import { randomInt } from "node:crypto";
import nodeDataChannel, { type Audio, type DataChannel, type PeerConnection, type Track } from "node-datachannel";
import type { IceCandidate, IceServer, PeerState } from "../../ports/media.ts";
import { HEARD_RATE_HZ } from "../../ports/media.ts";
import { JitterBuffer } from "./jitter-buffer.ts";
import { Opening } from "./opening.ts";
import { borrowEncoder, openDecoder, silentPacket } from "./opus-codecs.ts";
import { FRAME_MS, type OnPlayed, Playout } from "./playout.ts";
import type { MediaSettings } from "./protocol.ts";
import { RTP_CLOCK_HZ, readRtp, writeRtp } from "./rtp.ts";
import { serverAddresses } from "./server-addresses.ts";
import { announceAddress, type OfferedMedia, readOffer } from "./session-description.ts";

export interface PeerCallbacks {
  onAudio(samples: Int16Array): void;
  onMessage(text: string): void;
  onState(state: PeerState): void;
  onPlayed: OnPlayed;
}

/** Candidates of this side go into the answer; whoever gathers them for longer than this goes without the rest. */
const gatherWithinMs = 1500;
/** Said explicitly, because the library's own profile asks for stereo at 96 kbit/s. */
const opusProfile = "minptime=10;useinbandfec=1";
/** Larger packets get lost on links with tunnels, and nobody tells. */
const mtu = 1200;
const mostMessageBytes = 262_144;
const mostWaitingMessages = 200;
const frameTicks = (RTP_CLOCK_HZ * FRAME_MS) / 1000;

const directions = {
  sendrecv: "SendRecv",
  sendonly: "RecvOnly",
  recvonly: "SendOnly",
  inactive: "Inactive",
} as const;

/** One connection to a caller. */
export class Peer {
  readonly #connection: PeerConnection;
  readonly #settings: MediaSettings;
  readonly #callbacks: PeerCallbacks;
  readonly #opening = new Opening();
  readonly #playout: Playout;
  readonly #encoder = borrowEncoder();
  readonly #ssrc = randomInt(1, 0xffffffff);
  readonly #waitingMessages: string[] = [];
  #decoder: Awaited<ReturnType<typeof openDecoder>> | undefined;
  #buffer: JitterBuffer | undefined;
  #track: Track | undefined;
  #channel: DataChannel | undefined;
  #payloadType = 111;
  #sequence = randomInt(0, 0xffff);
  #timestamp = randomInt(0, 0xffffffff);
  #wasSpeaking = false;
  #isClosed = false;

  constructor(name: string, iceServers: readonly IceServer[], settings: MediaSettings, callbacks: PeerCallbacks) {
    this.#settings = settings;
    this.#callbacks = callbacks;
    this.#playout = new Playout(callbacks.onPlayed);
    this.#connection = new nodeDataChannel.PeerConnection(name, {
      iceServers: serverAddresses(iceServers),
      disableAutoNegotiation: true,
      mtu,
      maxMessageSize: mostMessageBytes,
      ...(settings.bindAddress ? { bindAddress: settings.bindAddress } : {}),
      ...(settings.port ? { enableIceUdpMux: true, portRangeBegin: settings.port, portRangeEnd: settings.port } : {}),
    });
    this.#connection.onStateChange((state) => {
      if (!this.#isClosed && state !== "new") callbacks.onState(state as PeerState);
    });
    this.#connection.onDataChannel((channel) => this.#takeChannel(channel));
  }

  get stats() {
    const pair = this.#isClosed ? null : this.#connection.getSelectedCandidatePair();
    const types = [pair?.local.type, pair?.remote.type];
    return {
      packetsReceived: this.#buffer?.received ?? 0,
      packetsLost: this.#buffer?.lost ?? 0,
      route: types.includes("relay") ? "relay" : pair?.remote.type,
    };
  }

  async answer(sdp: string): Promise<string> {
    const offered = readOffer(sdp);
    if (!this.#track) await this.#addTracks(offered);
    const gathered = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherWithinMs);
      const check = () => {
        if (this.#connection.gatheringState() !== "complete") return;
        clearTimeout(timer);
        resolve();
      };
      this.#connection.onGatheringStateChange(check);
      this.#connection.setRemoteDescription(sdp, "offer");
      this.#connection.setLocalDescription("answer");
      check();
    });
    await gathered;
    const local = this.#connection.localDescription();
    if (!local) throw new Error("the connection gave no answer");
    return announceAddress(local.sdp, this.#settings.announcedAddress);
  }

  addCandidates(candidates: readonly IceCandidate[]): void {
    for (const { candidate, mid } of candidates) {
      try {
        this.#connection.addRemoteCandidate(candidate, mid);
      } catch {
        // One that cannot be resolved or understood is one way less to reach the caller; others are tried.
      }
    }
  }

  play(clip: number, samples: Int16Array): void {
    this.#playout.play(clip, samples);
  }

  endClip(clip: number): void {
    this.#playout.endClip(clip);
  }

  hold(): void {
    this.#playout.hold();
  }

  resume(): void {
    this.#playout.resume();
  }

  drop(clips: readonly number[]): void {
    this.#playout.drop(clips);
  }

  send(text: string): void {
    if (this.#channel?.isOpen()) {
      try {
        this.#channel.sendMessage(text);
      } catch {
        // The channel closed between the question and the message.
      }
    } else if (this.#waitingMessages.length < mostWaitingMessages) {
      this.#waitingMessages.push(text);
    }
  }

  /** Sends the next 20 ms, silence included: receivers need it to keep their place. `skipped` frames were due and never left. */
  sendFrame(skipped: number): void {
    this.#timestamp = (this.#timestamp + frameTicks * (1 + skipped)) >>> 0;
    if (!this.#track?.isOpen()) return;
    const frame = this.#playout.frame();
    const isStart = frame !== undefined && !this.#wasSpeaking;
    if (isStart) this.#encoder.reset();
    this.#wasSpeaking = frame !== undefined;
    if (!this.#opening.sends(this.#wasSpeaking, performance.now())) return;
    this.#sequence = (this.#sequence + 1) & 0xffff;
    const payload = frame ? this.#encoder.encode(frame) : silentPacket();
    const header = {
      payloadType: this.#payloadType,
      sequence: this.#sequence,
      timestamp: this.#timestamp,
      ssrc: this.#ssrc,
      isMarked: isStart,
    };
    try {
      this.#track.sendMessageBinary(writeRtp(header, payload));
    } catch {
      // The track closed between the question and the packet.
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection.close();
    this.#encoder.giveBack();
    this.#decoder?.free();
  }

  async #addTracks(offered: readonly OfferedMedia[]): Promise<void> {
    const voice = offered.find(({ kind, opusPayloadType, isRejected }) => {
      return kind === "audio" && opusPayloadType !== undefined && !isRejected;
    });
    for (const media of offered) {
      if (media === voice) await this.#addVoice(media);
      else if (media.kind === "audio" || media.kind === "video") this.#decline(media);
    }
  }

  async #addVoice({ mid, direction, opusPayloadType }: OfferedMedia): Promise<void> {
    this.#payloadType = opusPayloadType!;
    const audio: Audio = new nodeDataChannel.Audio(mid, directions[direction]);
    audio.addOpusCodec(this.#payloadType, opusProfile);
    audio.addSSRC(this.#ssrc, "parlance", "parlance", "voice");
    const track = this.#connection.addTrack(audio);
    const timing = new nodeDataChannel.RtpPacketizationConfig(this.#ssrc, "parlance", this.#payloadType, RTP_CLOCK_HZ);
    const reports = new nodeDataChannel.RtcpSrReporter(timing);
    reports.addToChain(new nodeDataChannel.RtcpReceivingSession());
    track.setMediaHandler(reports);
    this.#decoder = await openDecoder();
    this.#buffer = new JitterBuffer(this.#decoder, HEARD_RATE_HZ);
    track.onMessage((bytes) => this.#hear(bytes));
    this.#track = track;
  }

  /** Pictures and further voices stay in their places, and nothing is sent either way. */
  #decline({ kind, mid, firstPayloadType }: OfferedMedia): void {
    if (kind === "audio") {
      const audio = new nodeDataChannel.Audio(mid, "Inactive");
      audio.addOpusCodec(firstPayloadType);
      this.#connection.addTrack(audio);
    } else {
      const video = new nodeDataChannel.Video(mid, "Inactive");
      video.addVP8Codec(firstPayloadType);
      this.#connection.addTrack(video);
    }
  }

  #hear(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    const packet = readRtp(bytes);
    if (!packet || packet.payloadType !== this.#payloadType) return;
    for (const samples of this.#buffer!.push(packet)) this.#callbacks.onAudio(samples);
  }

  #takeChannel(channel: DataChannel): void {
    // Messages may come before the channel says that it is open.
    channel.onMessage((message) => {
      if (typeof message === "string" && !this.#isClosed) this.#callbacks.onMessage(message);
    });
    channel.onOpen(() => this.#flush(channel));
    this.#channel = channel;
    if (channel.isOpen()) this.#flush(channel);
  }

  #flush(channel: DataChannel): void {
    this.#channel = channel;
    for (const text of this.#waitingMessages.splice(0)) this.send(text);
  }
}
