export interface CallMessage {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: RTVI has many messages, and each its own data
  data: any;
}

export interface ConnectOptions {
  /** Path of the offer, with the token. */
  endpoint: string;
  iceServers: RTCIceServer[];
  /** Its tracks are stopped when the call is over. */
  microphone: MediaStream;
  /** The name of this client. */
  library: string;
  /** The agent's voice, which is already played. */
  onVoice?(stream: MediaStream): void;
  onReady(): void;
  onMessage(message: CallMessage): void;
  onEnd(reason: string | undefined): void;
}

export interface ConnectedCall {
  /** An RTVI message of the client. */
  tell(type: string, data: object): void;
  hangUp(): void;
}

export function connectCall(options: ConnectOptions): Promise<ConnectedCall>;
