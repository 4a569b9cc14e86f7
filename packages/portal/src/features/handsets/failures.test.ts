import { describe, expect, it } from 'vitest';
import { failures } from './failures';

const ordinary = { power: 'on', inbox: 'space', receipt: null, autoReply: null };
const numbers = { from: '12025550199', to: '12025550100' };

/** A sandbox that records the requests to it. */
function stage(data: object, optedOut = false) {
  const posted: [string, unknown][] = [];
  const optOuts = { list: optedOut ? [{}] : [] };
  const now = { ...data };
  const api = {
    get: async <T>(path: string) => {
      const answer = path.startsWith('/opt-outs') ? optOuts.list : { ...now };
      return { data: answer as T, success: true, reason: 'SUCCESS', detail: '' };
    },
    post: async <T>(route: string, body?: unknown, options: { number?: string } = {}) => {
      const path = route.replace(':number', options.number ?? ':number');
      posted.push([path, body]);
      if (path.endsWith('/behaviour')) Object.assign(now, body);
      // Takes a moment, as in reality.
      if ((body as { text?: string }).text === 'START') setTimeout(() => (optOuts.list = []), 150);
      return { data: {} as T, success: true, reason: 'SUCCESS', detail: '' };
    },
  } as never;
  return { posted, api, optOuts };
}

describe('failures on purpose', () => {
  it('change one thing and leave what else was set', async () => {
    const { posted, api } = stage({
      power: 'on',
      inbox: 'space',
      receipt: null,
      autoReply: { text: 'hi', afterMs: 5 },
    });
    const off = failures.find(({ id }) => id === 'off')!;
    await off.cause(api, numbers);
    await off.undo!(api, numbers);
    const path = '/sandbox/handsets/12025550100/behaviour';
    expect(posted.map(([where]) => where)).toEqual([path, path]);
    const rest = { inbox: 'space', receipt: null, autoReply: { text: 'hi', afterMs: 5 } };
    expect(posted.map(([, body]) => body)).toEqual([
      { power: 'off', ...rest },
      { power: 'on', ...rest },
    ]);
  });

  it('drop the link and keep the faults that are on', async () => {
    const { posted, api } = stage({ ...ordinary, loseReceiptsPercent: 20 });
    await failures.find(({ id }) => id === 'drop')!.cause(api, numbers);
    expect(posted).toEqual([['/sandbox/faults', { ...ordinary, loseReceiptsPercent: 20, dropLink: true }]]);
  });

  it('undo each other first', async () => {
    const { posted, api } = stage(ordinary);
    for (const id of ['off', 'full', 'stop'] as const) await failures.find((one) => one.id === id)!.cause(api, numbers);
    expect(posted.map(([, body]) => body)).toEqual([
      { ...ordinary, power: 'off' },
      // Switched on before the inbox is full, so that held messages are delivered.
      ordinary,
      { ...ordinary, inbox: 'full' },
      ordinary,
      { to: numbers.from, text: 'STOP' },
    ]);
  });

  it.each(['off', 'full', 'drop'] as const)('%s: lifts an earlier STOP, and waits until it is lifted', async (id) => {
    const { posted, api, optOuts } = stage(ordinary, true);
    await failures.find((one) => one.id === id)!.cause(api, numbers);
    expect(posted.map(([path]) => path.split('/').at(-1))).toEqual(['reply', id === 'drop' ? 'faults' : 'behaviour']);
    expect(posted[0]![1]).toEqual({ to: numbers.from, text: 'START' });
    expect(optOuts.list).toEqual([]);
  });
});
