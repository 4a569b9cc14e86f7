/** Answers a scrape: checks who may read the figures, and returns them. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Registry } from '../../kernel/metrics.ts';
import type { Secret } from '../../kernel/secret.ts';

/** Exposition format of Prometheus, version 0.0.4. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

export interface ScrapeAnswer {
  status: 200 | 401;
  contentType: string;
  body: string;
}

/** `authorization`: the header of the request. */
export type Scrape = (authorization: string | undefined) => Promise<ScrapeAnswer>;

/** `token` null = anyone who reaches it may scrape. */
export function createScrape(registry: Pick<Registry, 'text'>, token: Secret | null): Scrape {
  const wanted = token === null ? null : digest(`Bearer ${token.reveal()}`);
  return async (authorization = '') => {
    if (wanted !== null && !timingSafeEqual(digest(authorization), wanted)) return refused;
    return { status: 200, contentType: expositionType, body: await registry.text() };
  };
}

const refused: ScrapeAnswer = {
  status: 401,
  contentType: 'text/plain; charset=utf-8',
  body: 'Send the token of HELIO_METRICS_TOKEN_FILE as: Authorization: Bearer TOKEN\n',
};

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
