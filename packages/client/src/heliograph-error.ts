/** The only error of this package. It never contains a credential, a secret or a message text. */

export interface HeliographErrorFields {
  /** HTTP status; null without an answer. */
  status?: number | null;
  /** `X-Request-Id` of the answer. */
  requestId?: string | null;
  /** Seconds to wait before a retry, if the gateway says so. */
  retryAfter?: number | null;
  cause?: unknown;
}

export class HeliographError extends Error {
  readonly status: number | null;
  /** Code of the gateway or of this package; branch on it. */
  readonly reason: string;
  /** A sentence for people. Never parse it. */
  readonly detail: string;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor(reason: string, detail: string, fields: HeliographErrorFields = {}) {
    const requestId = fields.requestId ?? null;
    const suffix = requestId === null ? '' : ` (request ${requestId})`;
    super(`${reason}: ${detail}${suffix}`, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'HeliographError';
    this.status = fields.status ?? null;
    this.reason = reason;
    this.detail = detail;
    this.requestId = requestId;
    this.retryAfter = fields.retryAfter ?? null;
  }
}
