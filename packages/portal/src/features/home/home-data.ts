/** The answer of `GET /home`. */
import type { Environment } from '../../api/session';
import { labelsOf } from '../../language/labels';

const homeWords = labelsOf('home');

export interface Step {
  step: keyof typeof homeWords.steps;
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

export interface Figures {
  accepted: number;
  delivered: number;
  failed: number;
  /** Without an end yet, or without a receipt. */
  waiting: number;
  replies: number;
}

export interface Minute extends Figures {
  at: string;
}

export interface Attention {
  kind: keyof typeof homeWords.attention.kinds;
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
  last60: { since: string; whole: boolean; minutes: Minute[]; total: Figures };
  attention: Attention[];
  /** Made-up traffic; null without any. */
  demo: { messages: number; from: string; until: string } | null;
  failures: { code: string; count: number; last: string }[];
}

/** A finished step stays finished. A carrier that goes down later needs attention, not the steps again. */
const happenings: ReadonlySet<Step['step']> = new Set(['accepted', 'answered', 'webhook']);

export function hadConversation({ checklist }: Pick<Home, 'checklist'>): boolean {
  return checklist.every(({ step, done }) => done || !happenings.has(step));
}

/** The instruction of an open step. */
export function todoOf({ step, facts: { name, status } }: Step, environment: Environment): string {
  if (step === 'campaign' && status != null) {
    const said = homeWords.campaignTodo[status];
    if (said !== undefined) return said(name ?? '');
  }
  const live = environment === 'live' ? homeWords.liveTodo[step] : undefined;
  return live ?? homeWords.steps[step].todo;
}
