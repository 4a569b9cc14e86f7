/** Sends one webhook over the guarded dialler: signs, posts, reports in fixed words. No retries, no redirects. */
import {
  type FetchCaps,
  type Fetched,
  type FetchLimits,
  type GuardedFetch,
  headerRules,
  isUsableHeader,
  type UrlPolicy,
} from '@heliograph/guarded-fetch';
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import { type Poster, type WebhookPosted, webhookTimeoutMs } from './webhook-post.ts';
import { signWebhook } from './webhook-signature.ts';

export const webhookCaps: FetchCaps = {
  connectMs: 10_000,
  firstByteMs: webhookTimeoutMs.default,
  totalMs: webhookTimeoutMs.default,
  bodyBytesMax: 65_536,
  keep: 4_096,
};

/** For a dialler used only for webhooks. Endpoints of several customers may share one host. */
export const webhookFetchLimits: Partial<FetchLimits> = {
  inFlightMax: 1_024,
  inFlightPerTargetMax: 512,
  idleMax: 1_024,
};

export interface WebhookPosterParts {
  clock: Clock;
  guarded: GuardedFetch;
  policy(): UrlPolicy;
  /** This gateway's version, for `User-Agent`. */
  version: string;
  /** Only for tests. */
  caps?: Partial<FetchCaps>;
}

export function createWebhookPoster({ clock, guarded, policy, version, caps }: WebhookPosterParts): Poster {
  const ownHeaders = { 'content-type': 'application/json', 'user-agent': `Heliograph/${version}` };
  const allCaps = { ...webhookCaps, ...caps };
  return {
    async post({ url, id, body, secrets, header, traceparent, timeoutMs, isSandbox }) {
      if (header !== null && !isUsableWebhookHeader(header.name, header.value.reveal())) {
        return { kind: 'unreachable', error: 'blocked', durationMs: 0 };
      }
      const timestamp = Math.floor(clock.now() / 1_000);
      const fetched = await guarded.fetch({
        url,
        method: 'POST',
        headers: {
          ...(traceparent === null ? {} : { traceparent }),
          ...(header === null ? {} : { [header.name]: header.value.reveal() }),
          ...ownHeaders,
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signWebhook({ id, timestamp, body, secrets }),
        },
        body,
        policy: isSandbox ? policy() : { ...policy(), simulators: [] },
        caps: timeoutMs === null ? allCaps : within(allCaps, timeoutMs),
        redirectsMax: 0,
      });
      return postedOf(fetched, clock.now());
    },
    close: async () => guarded.close(),
  };
}

/** The header of an endpoint must not change headers that the gateway sets. */
export const webhookHeaderRules = headerRules(['webhook-.*', 'content-type', 'user-agent']);

/** Also checked when an endpoint is saved. */
export function isUsableWebhookHeader(name: string, value: string): boolean {
  return isUsableHeader(name, value, webhookHeaderRules);
}

/** The caps of an endpoint with its own time-out. */
function within(caps: FetchCaps, timeoutMs: number): FetchCaps {
  return { ...caps, connectMs: Math.min(caps.connectMs, timeoutMs), firstByteMs: timeoutMs, totalMs: timeoutMs };
}

function postedOf(fetched: Fetched, now: EpochMs): WebhookPosted {
  switch (fetched.kind) {
    case 'busy':
      return { kind: 'busy' };
    case 'blocked':
      return { kind: 'unreachable', error: 'blocked', durationMs: fetched.ms };
    case 'unreachable':
      return { kind: 'unreachable', error: fetched.why, durationMs: fetched.ms };
    case 'answered':
      return {
        kind: 'answered',
        status: fetched.status,
        answer: storableText(fetched.body),
        retryAfter: fetched.headers['retry-after'] ?? null,
        durationMs: fetched.ms,
        ...skewOf(fetched.headers.date, now),
      };
  }
}

/** RFC 9110 §6.6.1: whole seconds, from when the answer was created. */
function skewOf(date: string | undefined, now: EpochMs): { skewSeconds?: number } {
  const theirs = Date.parse(date ?? '');
  return Number.isNaN(theirs) ? {} : { skewSeconds: Math.trunc((now - theirs) / 1_000) + 0 };
}

/** Decoded as UTF-8, invalid bytes replaced; without NUL, which no text column accepts. */
function storableText(body: Buffer): string {
  return body.toString('utf8').replaceAll('\0', '\u{fffd}');
}
