/** One call of `/api/v1` as the live account of `live-records.ts`, retried while the gateway is busy. */
import { setTimeout as wait } from 'node:timers/promises';
import { liveCaller } from './live-records.ts';

export interface ApiCall {
  /** Path and query. */
  path: string;
  /** A call with a body is a POST. */
  body?: object;
}

/** The envelope of a page or of a single answer. */
export interface ApiAnswer<T> {
  data: T;
  next: string | null;
}

const triesMax = 40;
const retryMs = 250;

/** Throws when the answer is neither 200 nor retryable. */
export async function callApi<T>(port: number, { path, body }: ApiCall): Promise<ApiAnswer<T>> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${liveCaller.bearerToken}`,
        'x-api-key': liveCaller.authToken,
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    });
    const answer = (await response.json()) as ApiAnswer<T> & { reason: string; detail: string };
    if (response.status === 200) return answer;
    if (response.status < 429 || tries === triesMax)
      throw new Error(`${path}: ${response.status} ${answer.reason} ${answer.detail}`);
    await wait(retryMs);
  }
}
