/**
 * A company's program: sends texts through the load balancer, repeats each under the same Idempotency-Key until it gets an answer, and
 * reads events.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { liveCaller } from '../props/live-records.ts';

export interface Result {
  to: string;
  status: string;
  messageId?: string;
}

/** A request, with all its tries. */
export interface Send {
  to: readonly string[];
  text: string;
  /** Of its first try; ms, by `performance.now()`. */
  from: number;
  /** Null while it is not answered with 200. */
  answer: { at: number; results: readonly Result[] } | null;
  /** The reason of a 400, after which it is not repeated. */
  refused: string | null;
  /** Tries that got no answer, or a status of 500 or more. */
  again: number;
}

/** An event of the feed. */
export interface Seen {
  id: string;
  type: string;
  data: { messageId: string; text?: string; from: string; state?: string };
}

export interface OwnMessage {
  messageId: string;
  to: string;
  state: string;
  dupRisk: boolean;
  direction: string;
  events: readonly { state: string }[];
}

export interface Application {
  readonly sends: readonly Send[];
  /** In the order of the feed; an event that comes again is here again. */
  readonly seen: readonly Seen[];
  ask(to: readonly string[], text: string): Promise<Send>;
  /** All that the company has sent, as the API lists it. */
  messages(): Promise<OwnMessage[]>;
  /** Reads events until none has come for a moment, then no more. */
  stop(): Promise<void>;
  /** Ends all requests at once. */
  leave(): void;
}

const tryMsMax = 10_000;
const patienceMs = 180_000;
const againMs = 500;
const quietMs = 3_000;
const pageSize = 100;

export function startApplication(door: number): Application {
  const sends: Send[] = [];
  const seen: Seen[] = [];
  let requests = 0;
  let lastSeen = performance.now();
  let over = false;
  const gone = new AbortController();

  const call = (method: string, path: string, more: { headers?: object; body?: string } = {}) =>
    fetch(`http://127.0.0.1:${door}${path}${path.includes('?') ? '&' : '?'}apikey=${liveCaller.authToken}`, {
      method,
      body: more.body ?? null,
      headers: { authorization: `Bearer ${liveCaller.bearerToken}`, ...more.headers },
      signal: AbortSignal.any([gone.signal, AbortSignal.timeout(tryMsMax)]),
    });

  /** The page that `path` leads to, as often as that takes. */
  async function page<T>(path: string): Promise<{ data: T[]; next: string | null }> {
    for (const end = performance.now() + patienceMs; ; await wait(againMs)) {
      try {
        const answer = await call('GET', path);
        if (answer.status === 200) return (await answer.json()) as { data: T[]; next: string | null };
        await answer.arrayBuffer();
      } catch {}
      if (performance.now() > end || gone.signal.aborted)
        throw new Error(`${path} was not answered for ${patienceMs / 1_000} s`);
    }
  }

  async function follow(): Promise<void> {
    let after = '';
    while (!over || performance.now() < lastSeen + quietMs) {
      const { data, next } = await page<Seen>(`/api/v1/events?limit=100&wait=1${after}`);
      if (data.length > 0) lastSeen = performance.now();
      seen.push(...data);
      after = `&after=${next}`;
    }
  }

  async function ask(to: readonly string[], text: string): Promise<Send> {
    const one: Send = { to, text, from: performance.now(), answer: null, refused: null, again: 0 };
    sends.push(one);
    requests += 1;
    const headers = { 'content-type': 'application/json', 'idempotency-key': `outside-${process.pid}-${requests}` };
    const body = JSON.stringify({ from: liveCaller.from, to, text });
    for (let waitMs = againMs; performance.now() < one.from + patienceMs && !gone.signal.aborted; await wait(waitMs)) {
      waitMs = againMs;
      try {
        const answer = await call('POST', '/SendSMS', { headers, body });
        waitMs = Number(answer.headers.get('retry-after') ?? 0) * 1_000 || againMs;
        const given = (await answer.json()) as { reason: string; schema?: { resultResponses: Result[] } };
        if (answer.status === 200) one.answer = { at: performance.now(), results: given.schema!.resultResponses };
        if (answer.status === 400) one.refused = given.reason;
        if (answer.status < 500) break;
      } catch {}
      one.again += 1;
    }
    return one;
  }

  const following = follow();
  // Where it fails, `stop` says so.
  following.catch(() => {});
  return {
    sends,
    seen,
    ask,
    async messages() {
      const all: OwnMessage[] = [];
      for (let before = ''; ; ) {
        const { data, next } = await page<OwnMessage>(`/api/v1/messages?limit=${pageSize}&direction=outbound${before}`);
        all.push(...data);
        if (next === null) return all;
        before = `&before=${next}`;
      }
    },
    async stop() {
      over = true;
      await following;
    },
    leave: () => gone.abort(),
  };
}
