import nodeDataChannel, { type DataChannel, type PeerConnection, type Track } from "node-datachannel";

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
type Message = any;

const connectWithinMs = 30_000;

/** A caller without a browser: what a telephone gateway would be. */
export class CallClient {
  readonly offer: string;
  readonly connected: Promise<void>;
  readonly messages: Message[] = [];
  readonly packets: Buffer[] = [];
  readonly #connection: PeerConnection;
  readonly #channel: DataChannel;
  readonly #track: Track;
  #isClosed = false;

  private constructor(connection: PeerConnection, channel: DataChannel, track: Track, offer: string) {
    this.#connection = connection;
    this.#channel = channel;
    this.#track = track;
    this.offer = offer;
    channel.onMessage((text) => this.messages.push(JSON.parse(String(text))));
    track.onMessage((packet) => this.packets.push(packet));
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

  static async open(): Promise<CallClient> {
    const connection = new nodeDataChannel.PeerConnection("caller", { iceServers: [], disableAutoNegotiation: true });
    const audio = new nodeDataChannel.Audio("0", "SendRecv");
    audio.addOpusCodec(111, "minptime=10;useinbandfec=1");
    audio.addSSRC(4711, "caller", "caller", "voice");
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

  /** Candidates follow the description: an offerer of this library cannot always take both at once. */
  answer(sdp: string): void {
    const lines = sdp.split("\r\n");
    const candidates = lines.filter((line) => line.startsWith("a=candidate:"));
    const rest = lines.filter((line) => !/^a=(candidate:|end-of-candidates)/.test(line));
    this.#connection.setRemoteDescription(rest.join("\r\n"), "answer");
    setTimeout(() => {
      if (this.#isClosed) return;
      for (const candidate of candidates) this.#connection.addRemoteCandidate(candidate.slice(2), "0");
    }, 50);
  }

  send(message: object): void {
    this.#channel.sendMessage(JSON.stringify(message));
  }

  sendPacket(packet: Buffer): void {
    if (this.#track.isOpen()) this.#track.sendMessageBinary(packet);
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

  close(): void {
    this.#isClosed = true;
    this.#connection.close();
  }
}
