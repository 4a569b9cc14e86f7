/**
 * `/numbers/import`: imports numbers, entry by entry: existing ones change, others are added. A rejected entry does
 * not stop the others.
 */
import { cut } from '../../http/envelope.ts';
import { type Answer, rejection, success } from '../../http/exchange.ts';
import type { PortalCall, PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers, tableBody } from '../../http/route.ts';
import type { TypeOf } from '../../http/shape.ts';
import { type NumberEntry, readNumberCsv } from './number-file.ts';
import { importedNumbers } from './number-shapes.ts';
import type { NumberService } from './numbers.ts';

type Outcome = { result: 'added' | 'changed' | 'unchanged' } | { result: 'refused'; detail: string };

export function addNumberImport(routes: PortalRoutes, service: NumberService): void {
  routes.add({
    method: 'POST',
    path: '/numbers/import',
    access: 'manageNumbers',
    audit: ['number.added', 'number.changed'],
    body: tableBody(null),
    answer: answers(importedNumbers, 'What became of the entries'),
    work: async (call) => {
      const entries = call.body.kind === 'csv' ? readNumberCsv(call.body.text) : 'it is no CSV';
      if (typeof entries === 'string') {
        return rejection('INVALID_FIELD', `The file cannot be read: ${entries}. Nothing was changed.`);
      }
      return takeIn(entries, call, service);
    },
  });
}

async function takeIn(
  entries: readonly NumberEntry[],
  call: PortalCall,
  service: NumberService,
): Promise<Answer<TypeOf<typeof importedNumbers>>> {
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const problems: TypeOf<typeof importedNumbers>['problems'][number][] = [];
  for (const one of entries) {
    const outcome = await takeOne(one, call, service);
    counts[outcome.result]++;
    if (outcome.result === 'refused')
      problems.push({ entry: one.entry, number: cut(one.number), detail: outcome.detail });
  }
  const detail = `${counts.added} added, ${counts.changed} changed, ${counts.unchanged} as they were, ${counts.refused} refused.`;
  return success(detail, { ...counts, problems });
}

async function takeOne(
  { number, change, fault }: NumberEntry,
  call: PortalCall,
  service: NumberService,
): Promise<Outcome> {
  if (fault !== null) return { result: 'refused', detail: fault };
  const { account, environment, may, person } = call;
  const known = service.get(account.accountId, number);
  if (known !== null && known.environment !== environment) {
    return { result: 'refused', detail: 'It belongs to the other environment: sandbox and live never mix.' };
  }
  if (known === null) {
    const whose = { accountId: account.accountId, environment, anywhere: may('operator') };
    const { name = '', campaignId = null } = change;
    const added = await service.add(person, whose, { number, name, campaignId });
    if (added.kind !== 'done') return refusedBy(added);
  }
  const now = service.get(account.accountId, number)!;
  const fields = Object.entries(change) as [keyof typeof change, unknown][];
  const isUpToDate = fields.every(([field, value]) => (field === 'name' ? (now.name ?? '') : now[field]) === value);
  if (!isUpToDate) {
    const changed = await service.change(person, number, change, null);
    if (changed.kind !== 'done') return refusedBy(changed);
  }
  return { result: known === null ? 'added' : isUpToDate ? 'unchanged' : 'changed' };
}

function refusedBy(outcome: { kind: string; fields?: object; detail?: string }): Outcome {
  const [sentence] = Object.values(outcome.fields ?? {}) as string[];
  return {
    result: 'refused',
    detail: sentence ?? outcome.detail ?? 'Somebody else is changing numbers at this moment. Try again.',
  };
}
