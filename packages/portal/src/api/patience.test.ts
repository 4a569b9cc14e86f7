import '../language/english';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, api, isNoAnswer, isSilent } from './client';
import { patienceMs, patiently, Silence } from './patience';

const never = (): Promise<never> => new Promise(() => {});

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The promise's result; `waits` until there is one. */
function watched(promise: Promise<unknown>): { now: unknown } {
  const seen: { now: unknown } = { now: 'waits' };
  promise.then(
    (value) => {
      seen.now = value;
    },
    (error: unknown) => {
      seen.now = error;
    },
  );
  return seen;
}

describe('waiting for an answer', () => {
  it('ends with the answer, and the clock is stopped', async () => {
    await expect(patiently(1_000, async () => 'yes')).resolves.toBe('yes');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with what went wrong, and the clock is stopped', async () => {
    const broken = patiently(1_000, async () => {
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends in silence no earlier and no later, and lets go of what it waited for', async () => {
    let given: AbortSignal | null = null;
    const seen = watched(
      patiently(1_000, (signal) => {
        given = signal;
        return never();
      }),
    );
    await vi.advanceTimersByTimeAsync(999);
    expect([seen.now, given!.aborted]).toEqual(['waits', false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.now).toBeInstanceOf(Silence);
    expect(given!.aborted).toBe(true);
  });

  it('begins anew with every word that is heard', async () => {
    let say: (ms: number) => void = () => {};
    const seen = watched(
      patiently(1_000, (_signal, heard) => {
        say = heard;
        return never();
      }),
    );
    for (let i = 0; i < 5; i++) {
      await vi.advanceTimersByTimeAsync(900);
      say(1_000);
    }
    expect(seen.now).toBe('waits');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.now).toBeInstanceOf(Silence);
  });
});

describe('a gateway that accepts requests and never answers', () => {
  beforeEach(() => vi.stubGlobal('fetch', vi.fn(never)));

  it.each([
    ['a read', () => api.get('/numbers'), patienceMs.read, 'Nothing was changed'],
    ['a file', () => api.blob('/audit.csv'), patienceMs.read, 'Nothing was changed'],
    ['a write', () => api.post('/numbers', {} as never), patienceMs.write, 'not known whether this was done'],
    [
      'a change',
      () => api.patch('/endpoints/:endpointId', {}, { endpointId: '1' }),
      patienceMs.write,
      'not known whether this was done',
    ],
    ['a removal', () => api.delete('/me/sessions'), patienceMs.write, 'not known whether this was done'],
    [
      'a message',
      () => api.post('/send', {} as never),
      patienceMs.write,
      'Look under Messages before you send it again',
    ],
    ['many messages', () => api.post('/messages/bulk', {} as never), patienceMs.write, 'Look under Messages, at these'],
    ['a file on its way up', () => api.upload('/media', new Blob(['x'])), patienceMs.upload, 'not known'],
  ])('is given up on for %s, with what that means', async (_what, ask, ms, text) => {
    const seen = watched(ask() as Promise<unknown>);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(seen.now).toBe('waits');
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.now).toBeInstanceOf(ApiError);
    const fault = seen.now as ApiError;
    expect(fault.message).toContain(text);
    expect([isNoAnswer(fault), isSilent(fault)]).toEqual([true, true]);
  });

  it('may also stop in the middle of its answer', async () => {
    const stuck = new Response(new ReadableStream({ pull: never }), { status: 200 });
    vi.stubGlobal('fetch', async () => stuck);
    const seen = watched(api.get('/numbers'));
    await vi.advanceTimersByTimeAsync(patienceMs.read);
    expect(isSilent(seen.now)).toBe(true);
  });
});

describe('a gateway that is heard', () => {
  it('is not given up on while a long file comes', async () => {
    let give: ReadableStreamDefaultController<Uint8Array> | null = null;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        give = controller;
      },
    });
    vi.stubGlobal('fetch', async () => new Response(body, { headers: { 'content-type': 'text/csv' } }));
    const seen = watched(api.blob('/messages/export.csv'));
    for (let i = 0; i < 4; i++) {
      await vi.advanceTimersByTimeAsync(patienceMs.download - 1_000 * (i + 1));
      give!.enqueue(new TextEncoder().encode('a line\n'));
    }
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.now).toBe('waits');
    give!.close();
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.now).toBeInstanceOf(Blob);
    expect([(seen.now as Blob).size, (seen.now as Blob).type]).toEqual([28, 'text/csv']);
  });

  it('that is away is reported at once, and is another fault', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    const fault = await api.get('/numbers').catch((error: unknown) => error);
    expect([isNoAnswer(fault), isSilent(fault)]).toEqual([true, false]);
  });

  it('that refuses is quoted in its own words', async () => {
    const body = JSON.stringify({ success: false, reason: 'FORBIDDEN', detail: 'No.' });
    vi.stubGlobal('fetch', async () => new Response(body, { status: 403 }));
    const fault = await api.post('/numbers', {} as never).catch((error: unknown) => error);
    expect(fault).toMatchObject({ status: 403, message: 'No.' });
    expect(isSilent(fault)).toBe(false);
  });
});
