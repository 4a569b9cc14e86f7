/**
 * The four failures to cause on purpose: their effect on the sandbox, and how each is undone. Each begins by undoing the
 * others, so that it ends as its card says. Other settings stay unchanged.
 */
import type { api } from '../../api/client';
import type { HandsetSettings } from '../../api/routes/sandbox';

type Api = Pick<typeof api, 'get' | 'post'>;
type Numbers = { from: string; to: string };

export interface Failure {
  id: 'off' | 'full' | 'stop' | 'drop';
  cause(to: Api, numbers: Numbers): Promise<unknown>;
  /** Null for a failure that ends by itself. */
  undo: null | ((to: Api, numbers: Numbers) => Promise<unknown>);
  /** Sends a text right after, so that there is something to look at. */
  thenText: boolean;
  /** Where it shows; the sent text, if any. */
  look: 'handset' | '/opt-outs' | '/carriers';
}

/** The handset's current behaviour, except `changed`. */
function behave(changed: Partial<HandsetSettings>): Failure['cause'] {
  return async (to, { to: number }) => {
    const { power, inbox, receipt, autoReply } = (await to.get('/sandbox/handsets/:number/behaviour', { number })).data;
    // The text of an automatic reply is hidden from people who may not read texts, and they may not change it either.
    const settings = { power, inbox, receipt, autoReply, ...changed } as HandsetSettings;
    return to.post('/sandbox/handsets/:number/behaviour', settings, { number });
  };
}

function reply(text: string): Failure['cause'] {
  return (to, { from, to: number }) => to.post('/sandbox/handsets/:number/reply', { to: from, text }, { number });
}

const startPatienceMs = 3_000;
const startLookMs = 100;

/**
 * Undoes the effects of an earlier failure: the handset is on and has space, and a texted STOP is followed by START.
 */
async function mend(to: Api, numbers: Numbers): Promise<void> {
  const { power, inbox } = (await to.get('/sandbox/handsets/:number/behaviour', { number: numbers.to })).data;
  // In a request of its own, before other changes, because it delivers the held messages.
  if (power !== 'on' || inbox !== 'space') await behave({ power: 'on', inbox: 'space' })(to, numbers);
  const optOuts = async () => (await to.get('/opt-outs', { query: { contact: numbers.to } })).data.length;
  const before = await optOuts();
  if (before === 0) return;
  await reply('START')(to, numbers);
  // Opt-outs that START cannot remove stay; the next text says so.
  for (let waited = 0; waited < startPatienceMs && (await optOuts()) >= before; waited += startLookMs) {
    await new Promise((resolve) => setTimeout(resolve, startLookMs));
  }
}

/** The others are undone first, so that failures never combine. */
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
