/**
 * The first request as the page shows it, sent for real: to the public door, with both credentials. Who may not read the
 * seeded pair sends the same text with the session instead.
 */
import { answered, api, reached } from '../../api/client';
import { patienceMs } from '../../api/patience';
import type { bodyOf } from './snippets';

export interface Pair {
  bearerToken: string;
  authToken: string;
}

/** As it came. */
export interface RawAnswer {
  /** `HTTP/1.1 200`, or without the version where nobody knows it. */
  status: string;
  requestId: string | null;
  body: string;
}

export async function sendFirst(body: ReturnType<typeof bodyOf>, pair: Pair | null): Promise<RawAnswer> {
  if (pair === null) return { status: '200', requestId: null, body: JSON.stringify(await api.post('/send', body)) };
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${pair.bearerToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit' as const,
  };
  const path = '/SendSMS';
  return answered({ method: 'POST', path, ms: patienceMs.write }, async (signal) => {
    const door = `${path}?apikey=${encodeURIComponent(pair.authToken)}`;
    const response = await reached(fetch(door, { ...init, signal }));
    return {
      status: `${response.status} ${response.statusText}`.trim(),
      requestId: response.headers.get('x-request-id'),
      body: await response.text(),
    };
  });
}
