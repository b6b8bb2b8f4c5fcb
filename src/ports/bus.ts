/** Something that was sent to a subject. */
export interface BusMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Where an answer goes, when the sender wants one. */
  readonly replyTo: string | undefined;
  /** Nobody listens to what was sent; this came to its `replyTo` instead of an answer. */
  readonly isNobody: boolean;
}

export interface BusSubscription {
  stop(): void;
}

/** Carries messages between the processes of one installation. At most once: what is sent while nobody listens, or while the
 *  connection is away, may be lost, and whoever needs an answer must notice that none comes. Messages of one sender to one
 *  subject arrive in order. */
export interface Bus {
  readonly kind: "memory" | "nats";
  /** The largest message. */
  readonly mostBytes: number;
  /** Whether messages go out now. */
  readonly isUp: boolean;
  /** Never waits and never throws. With `replyTo`, a message that nobody listens to is answered at once with `isNobody`. */
  publish(subject: string, data: Uint8Array, replyTo?: string): void;
  /** `subject` may end with `.>` for everything below it. Of those that share a `group`, one gets each message. */
  subscribe(subject: string, onMessage: (message: BusMessage) => void, group?: string): BusSubscription;
  /** Calls back each time the connection is lost: what was under way then may never arrive. */
  onDown(tell: () => void): void;
  /** Calls back each time the connection is there again. */
  onUp(tell: () => void): void;
  /** Sends what is still to be sent, then ends. */
  close(): Promise<void>;
}
