export interface TransportOptions {
  origin: string;
  /** How long the upstream may be silent, before its head and between two chunks. */
  silenceMs: number;
  /** Certificates to trust instead of the well-known ones. */
  ca?: string;
}

export const mostConnections = 512;
export const connectMs = 5_000;
/** How long a connection is kept that nobody uses. */
export const idleMs = 30_000;
