import { describe, expect, it } from 'vitest';
import { failures } from './failures';

const numbers = { from: '12025550199', to: '12025550100' };

function stage(data: object) {
  const posted: [string, unknown][] = [];
  const api = {
    get: async <T>() => ({ data: data as T, success: true, reason: 'SUCCESS', detail: '' }),
    post: async <T>(path: string, body?: unknown) => {
      posted.push([path, body]);
      return { data: {} as T, success: true, reason: 'SUCCESS', detail: '' };
    },
  } as never;
  return { posted, api };
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
    const { posted, api } = stage({ loseReceiptsPercent: 20 });
    await failures.find(({ id }) => id === 'drop')!.cause(api, numbers);
    expect(posted).toEqual([['/sandbox/faults', { loseReceiptsPercent: 20, dropLink: true }]]);
  });
});
