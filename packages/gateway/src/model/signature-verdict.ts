/**
 * Judges a webhook signature: valid or not, by which secret, and the clock difference. The comparison of
 * `@heliograph/client` is passed in, because customers verify with the same code.
 */
import type { EpochMs } from '../kernel/clock.ts';

/**
 * A valid secret in plain text. `expiresAt` null: the current one; else an older one that signs beside it until then.
 */
export interface SigningSecret {
  secret: string;
  expiresAt: EpochMs | null;
}

export type SignatureVerdict =
  /** `until`: how long the old secret stays valid; null for the current one. */
  | { valid: true; by: 'current' | 'old'; until: EpochMs | null; skewSeconds: number }
  /** `reason` as in `@heliograph/client`; `detail` is for people. */
  | { valid: false; reason: string; detail: string; skewSeconds: number | null };

export interface SignedWebhook {
  body: string | Uint8Array;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Throws an error with `reason` and `detail` when none of `secrets` made the signature, or its time is not close to
 * `now`.
 */
export type VerifySignature = (
  body: SignedWebhook['body'],
  headers: SignedWebhook['headers'],
  secrets: readonly string[],
  options: { now: Date },
) => unknown;

export interface VerdictParts {
  /** Valid secrets, the current one first. */
  secrets: readonly SigningSecret[];
  /** When the webhook arrived. */
  now: EpochMs;
  verify: VerifySignature;
}

export function signatureVerdict({ body, headers }: SignedWebhook, parts: VerdictParts): SignatureVerdict {
  const { secrets, verify } = parts;
  const skewSeconds = skewOf(headers['webhook-timestamp'], parts.now);
  const faultWith = (tried: readonly string[]): Fault | null => {
    try {
      verify(body, headers, tried, { now: new Date(parts.now) });
      return null;
    } catch (error) {
      return faultOf(error);
    }
  };
  let fault = secrets.length === 0 ? faultWith([]) : null;
  for (const { secret, expiresAt } of secrets) {
    fault = faultWith([secret]);
    if (fault === null) {
      return {
        valid: true,
        by: expiresAt === null ? 'current' : 'old',
        until: expiresAt,
        skewSeconds: skewSeconds ?? 0,
      };
    }
    if (fault.reason !== 'NO_MATCHING_SIGNATURE') break;
  }
  return { valid: false, reason: fault!.reason, detail: fault!.detail, skewSeconds };
}

interface Fault {
  reason: string;
  detail: string;
}

function faultOf(error: unknown): Fault {
  const { reason, detail } = (error ?? {}) as Partial<Fault>;
  if (typeof reason !== 'string' || typeof detail !== 'string') throw error;
  return { reason, detail };
}

/** Its age on arrival; null when the timestamp is not a time. */
function skewOf(timestamp: unknown, now: EpochMs): number | null {
  const seconds = typeof timestamp === 'string' && /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : null;
  return seconds === null ? null : Math.floor(now / 1_000) - seconds;
}
