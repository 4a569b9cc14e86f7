/**
 * What the four failures of the start page do to the sandbox, and how each is undone. Each begins by undoing the others, so
 * that it ends as its card says. Other settings stay as they are.
 */
import type { api } from '../../api/client';
import type { HandsetSettings } from '../../api/routes/sandbox';

type Api = Pick<typeof api, 'get' | 'post'>;
type Numbers = { from: string; to: string };

export interface Failure {
  id: 'off' | 'full' | 'stop' | 'drop';
  cause(to: Api, numbers: Numbers): Promise<unknown>;
  /** Null for what mends itself. */
  undo: null | ((to: Api, numbers: Numbers) => Promise<unknown>);
  /** A text goes out right after, so that there is something to look at. */
  thenText: boolean;
  /** Where it shows; the text that went out, when there is one. */
  look: 'handset' | '/opt-outs' | '/carriers';
}

/** The handset behaves as it does, but for `changed`. */
function behave(changed: Partial<HandsetSettings>): Failure['cause'] {
  return async (to, { to: number }) => {
    const { power, inbox, receipt, autoReply } = (await to.get('/sandbox/handsets/:number/behaviour', { number })).data;
    // The text of an automatic answer is hidden from those who may not read texts, and they may not change it either.
    const settings = { power, inbox, receipt, autoReply, ...changed } as HandsetSettings;
    return to.post('/sandbox/handsets/:number/behaviour', settings, { number });
  };
}

function reply(text: string): Failure['cause'] {
  return (to, { from, to: number }) => to.post('/sandbox/handsets/:number/reply', { to: from, text }, { number });
}

const startPatienceMs = 3_000;
const startLookMs = 100;

/** Undoes what an earlier failure left: the handset is on and has space, and whoever texted STOP has texted START. */
async function mend(to: Api, numbers: Numbers): Promise<void> {
  const { power, inbox } = (await to.get('/sandbox/handsets/:number/behaviour', { number: numbers.to })).data;
  // On its own, before anything else changes: what was kept is delivered by it.
  if (power !== 'on' || inbox !== 'space') await behave({ power: 'on', inbox: 'space' })(to, numbers);
  const optOuts = async () => (await to.get('/opt-outs', { query: { contact: numbers.to } })).data.length;
  const before = await optOuts();
  if (before === 0) return;
  await reply('START')(to, numbers);
  // It travels as every text does. One that stays is not for START to lift: the text that follows says so.
  for (let waited = 0; waited < startPatienceMs && (await optOuts()) >= before; waited += startLookMs) {
    await new Promise((resolve) => setTimeout(resolve, startLookMs));
  }
}

/** Not one upon the other: the others are undone first. */
function alone(cause: Failure['cause']): Failure['cause'] {
  return async (to, numbers) => {
    await mend(to, numbers);
    return cause(to, numbers);
  };
}

export const failures: readonly Failure[] = [
  { id: 'off', cause: alone(behave({ power: 'off' })), undo: behave({ power: 'on' }), thenText: true, look: 'handset' },
  {
    id: 'full',
    thenText: true,
    look: 'handset',
    cause: alone(behave({ inbox: 'full' })),
    undo: behave({ inbox: 'space' }),
  },
  { id: 'stop', cause: alone(reply('STOP')), undo: reply('START'), thenText: false, look: '/opt-outs' },
  {
    id: 'drop',
    cause: alone(async (to) => {
      const { data } = await to.get('/sandbox/faults');
      return to.post('/sandbox/faults', { ...data, dropLink: true });
    }),
    undo: null,
    thenText: true,
    look: '/carriers',
  },
];
