/** What the four failures of the start page do to the sandbox, and how each is undone. Other settings stay as they are. */
import type { api } from '../../api/client';

interface Behaviour {
  power: unknown;
  inbox: unknown;
  receipt: unknown;
  autoReply: unknown;
}

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
function behave(changed: object): Failure['cause'] {
  return async (to, { to: handset }) => {
    const path = `/sandbox/handsets/${handset}/behaviour`;
    const { power, inbox, receipt, autoReply } = (await to.get<Behaviour>(path)).data;
    return to.post(path, { power, inbox, receipt, autoReply, ...changed });
  };
}

function reply(text: string): Failure['cause'] {
  return (to, { from, to: handset }) => to.post(`/sandbox/handsets/${handset}/reply`, { to: from, text });
}

export const failures: readonly Failure[] = [
  { id: 'off', cause: behave({ power: 'off' }), undo: behave({ power: 'on' }), thenText: true, look: 'handset' },
  { id: 'full', cause: behave({ inbox: 'full' }), undo: behave({ inbox: 'space' }), thenText: true, look: 'handset' },
  { id: 'stop', cause: reply('STOP'), undo: reply('START'), thenText: false, look: '/opt-outs' },
  {
    id: 'drop',
    cause: async (to) => {
      const { data } = await to.get<object>('/sandbox/faults');
      return to.post('/sandbox/faults', { ...data, dropLink: true });
    },
    undo: null,
    thenText: true,
    look: '/carriers',
  },
];
