/** The answer of `GET /home`. */
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Environment } from '../../api/session';
import { labelsOf } from '../../language/labels';

const homeLabels = labelsOf('home');

export const homeQuery = queryOptions({ queryKey: ['home'], queryFn: async () => (await api.get('/home')).data });

export interface Step {
  step: keyof typeof homeLabels.steps;
  done: boolean;
  facts: {
    name?: string | null;
    binds?: number;
    address?: string | null;
    number?: string | null;
    status?: string | null;
    campaignId?: string;
    messageId?: string;
    tookMs?: number | null;
    from?: string;
    at?: string;
    endpointId?: string;
    deliveryId?: string;
  };
}

export interface Attention {
  kind: keyof typeof homeLabels.attention.kinds;
  name: string | null;
  state: string | null;
  count: number | null;
  since: string | null;
  href: string | null;
}

export interface Home {
  checklist: Step[];
  first: { from: string; to: string | null } | null;
  /** Whether this user may read the seeded pair. */
  pair: boolean;
  attention: Attention[];
  /** For all environments; null for people who are not operators. */
  carriers: { up: number; all: number } | null;
  /** Generated traffic; null without any. */
  demo: { messages: number; from: string; until: string } | null;
}

/** A finished step stays finished. A carrier that goes down later needs attention, not the steps again. */
const happenings: ReadonlySet<Step['step']> = new Set(['accepted', 'answered', 'webhook']);

export function hadConversation({ checklist }: Pick<Home, 'checklist'>): boolean {
  return checklist.every(({ step, done }) => done || !happenings.has(step));
}

/** Whether there is anything to count. */
export function hadTraffic({ checklist }: Pick<Home, 'checklist'>): boolean {
  return checklist.some(({ step, done }) => done && happenings.has(step));
}

/** The instruction of an open step. */
export function todoOf({ step, facts: { name, status } }: Step, environment: Environment): string {
  if (step === 'campaign' && status != null) {
    const todo = homeLabels.campaignTodo[status];
    if (todo !== undefined) return todo(name ?? '');
  }
  const live = environment === 'live' ? homeLabels.liveTodo[step] : undefined;
  return live ?? homeLabels.steps[step].todo;
}
