/**
 * HTTP requests between a carrier and its adapter. Types only: the server knows no protocol, the adapters no server.
 */

/** A request of an HTTP carrier, not authenticated yet. */
export interface CarrierRequest {
  headers: Readonly<Record<string, string | undefined>>;
  /** Reads the body, which may still be arriving. Call it once, and only after authenticating the peer. */
  body(bytesMax: number): Promise<Buffer | 'too_large' | 'too_slow'>;
  /** IP address of the peer; behind a trusted proxy, of the proxy's client. */
  remoteAddress: string;
  /** SHA-256 of the peer's certificate, 64 lower-case hex digits; null without one. */
  clientCertSha256: string | null;
}

export interface CarrierAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}
