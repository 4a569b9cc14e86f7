/**
 * The opt-out list in memory, so that every send can check it. Loaded from the store at start and updated with each
 * change.
 */
import type { Logger } from '../../kernel/logger.ts';
import { createNumberSet, type NumberSet } from '../../kernel/number-set.ts';
import { isE164Digits } from '../../model/number.ts';
import type { ConsentStore } from '../store/modules/consent.ts';

const pageRows = 5_000;

export interface OptOutList {
  /** Reads all entries from the store. Call once, before anything is sent or received. */
  load(): Promise<void>;
  isOptedOut(scope: string, contact: string): boolean;
  set(scope: string, contact: string, to: 'out' | 'in'): void;
  size(): number;
}

export function createOptOutList(parts: { store: Pick<ConsentStore, 'optOutPage'>; logger: Logger }): OptOutList {
  const scopes = new Map<string, NumberSet>();

  function set(scope: string, contact: string, to: 'out' | 'in'): void {
    // Nothing can be sent to a contact that is no E.164 number: there is nothing to stop.
    if (!isE164Digits(contact)) return;
    let members = scopes.get(scope);
    if (to === 'in') {
      members?.delete(Number(contact));
      return;
    }
    if (members === undefined) {
      members = createNumberSet();
      scopes.set(scope, members);
    }
    members.add(Number(contact));
  }

  const size = (): number => [...scopes.values()].reduce((sum, members) => sum + members.size, 0);

  return {
    load: async () => {
      let after: { scope: string; contact: string } | null = null;
      for (;;) {
        const page: { scope: string; contact: string }[] = await parts.store.optOutPage({ after, limit: pageRows });
        for (const { scope, contact } of page) set(scope, contact, 'out');
        const last = page.at(-1);
        if (last === undefined || page.length < pageRows) break;
        after = last;
      }
      parts.logger.info({ count: size() }, 'opt-outs loaded');
    },
    isOptedOut: (scope, contact) => isE164Digits(contact) && scopes.get(scope)?.has(Number(contact)) === true,
    set,
    size,
  };
}
