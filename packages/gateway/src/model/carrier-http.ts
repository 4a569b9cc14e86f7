/**
 * HTTP requests between a carrier and its adapter. Types only: the server knows no protocol, the adapters no server.
 */

/** A request of an HTTP carrier, not authenticated yet. */
export interface CarrierRequest {
  headers: Readonly<Record<string, string | undefined>>;
  /** Reads the body, which is up to its end still on the way: to be called once, and only when the peer is known. */
  body(bytesMax: number): Promise<Buffer | 'too_large' | 'too_slow'>;
  /** IP address of the peer; behind a trusted proxy, of the proxy's client. */
  remoteAddress: string;
  /** SHA-256 of the certificate the peer showed, 64 lower-case hex digits; null without one. */
  clientCertSha256: string | null;
}

export interface CarrierAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}
