/** The draft of this tab: the gateway orders and checks every step before the draft takes it. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { changesOf, type Draft, formOf, isBehind, keepDraft, keptDraft, rebased } from './draft';
import type { Rule } from './routes';

export type Move =
  | { routeId: string; way: 'up' | 'down' }
  /** Right before or after another rule. */
  | { routeId: string; side: 'before' | 'behind'; besideId: string };

export interface Step {
  /** Rules in the gateway's form; absent: as in the draft. */
  forms?: Record<string, unknown>[];
  move?: Move;
  /** For rules that are rebased on another person's. */
  base?: Rule[];
}

export function useDraft(current: readonly Rule[]) {
  const [draft, setDraft] = useState<Draft | null>(keptDraft);
  const rules = draft?.rules ?? [...current];
  const put = (next: Draft | null) => {
    const isSame = next !== null && changesOf(next.base, next.rules).length === 0;
    keepDraft(isSame ? null : next);
    setDraft(isSame ? null : next);
  };
  const step = useMutation({
    mutationFn: async ({ forms, move }: Step) =>
      (await api.post('/routes/draft', { routes: forms ?? rules.map(formOf), move })).data,
    onSuccess: (next, { base }) => put({ base: base ?? draft?.base ?? [...current], rules: next }),
  });
  return {
    draft,
    rules,
    changes: draft === null ? [] : changesOf(draft.base, draft.rules),
    isBehind: draft !== null && isBehind(draft, current),
    step,
    discard: () => put(null),
    /** Rebases it on the published rules. */
    rebase: () => {
      if (draft === null) return;
      const over = rebased(draft, current);
      step.mutate({ forms: over.rules.map(formOf), base: over.base });
    },
  };
}

export type DraftState = ReturnType<typeof useDraft>;
