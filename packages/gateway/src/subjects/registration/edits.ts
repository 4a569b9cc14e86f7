/**
 * Edits registration records: validates, writes with an audit entry, and applies the change before the answer. Never
 * overwrites somebody else's change.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { recordVersion } from '../../kernel/record-version.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import type { Directory } from '../../model/directory.ts';
import { auditEntryOf, type Person, type Refusal } from '../../model/person.ts';
import type { Records } from '../../model/records.ts';

export interface RegistrationParts {
  clock: Pick<Clock, 'now'>;
  ids: Pick<Ids, 'next'>;
  directory: () => Directory;
  /** Reloads the records, so that `directory` has the change. */
  refreshDirectory(): Promise<unknown>;
  store: Pick<RecordsStore, 'editRecords' | 'records'>;
}

export type Registered = Pick<Records, 'numbers' | 'brands' | 'campaigns'>;
export type RegisteredList = keyof Registered;
export type RegisteredOf<K extends RegisteredList> = Registered[K][number];

export type EditOutcome<T> =
  | { kind: 'done'; record: T; before: T | null }
  /** It has changed since the editor read it. */
  | { kind: 'stale'; current: T }
  | Refusal;

/** The result of an edit: the new record, and its word in the audit log. */
export type Made<T> =
  | { kind: 'made'; record: T; before: T | null; what: string; target: string }
  | { kind: 'stale'; current: T }
  | Refusal;

export interface Edits {
  edit<K extends RegisteredList>(
    list: K,
    person: Person,
    make: (directory: Directory) => Made<RegisteredOf<K>>,
  ): Promise<EditOutcome<RegisteredOf<K>>>;
}

/** Retries after concurrent edits, before giving up. */
const triesMax = 20;

export function createEdits({ clock, directory, refreshDirectory, store }: RegistrationParts): Edits {
  return {
    async edit(list, person, make) {
      for (let tries = 0; tries < triesMax; tries++) {
        await refreshDirectory();
        const current = directory();
        const made = make(current);
        if (made.kind !== 'made') return made;
        const { before, what, target } = made;
        const record = list === 'campaigns' ? { ...made.record, changedAt: clock.now() } : made.record;
        const entry = auditEntryOf(person, clock.now(), { what, target, ...changes(before, record) });
        // An operator's work appears in the audit log of the company concerned.
        const note = { ...entry, accountId: record.accountId };
        const put = { [list]: [record] };
        const version = await store.editRecords({ version: current.version, put, dropRoutes: [], audit: [note] });
        if (version === null) continue;
        await refreshDirectory();
        return { kind: 'done', record, before };
      }
      return { kind: 'busy' };
    },
  };
}

/** Whether it is unchanged since the editor read it; without a version any state is accepted. */
export function isSeen(record: object, version: string | null): boolean {
  return version === null || version === formVersion(record);
}

/** The version of the form fields: files and findings added beside the form do not change it. */
export function formVersion(record: object): string {
  const { evidence: _, websiteCheck: __, changedAt: ___, ...form } = record as Record<string, unknown>;
  return recordVersion(form);
}

/** For the audit log, which has the time: only the differences. Long earlier lists stay in the record itself. */
function changes(before: object | null, after: object): Record<'before' | 'after', Record<string, unknown> | null> {
  const { history: _, versions: __, changedAt: ___, ...now } = { ...after } as Record<string, unknown>;
  if (before === null) return { before: null, after: now };
  const earlier = before as Record<string, unknown>;
  const names = Object.keys(now).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(earlier[name]));
  return { before: pick(earlier, names), after: pick(now, names) };
}

function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [name, name === 'evidence' ? fileNames(from[name]) : (from[name] ?? null)]),
  );
}

/** People know files by their names. */
function fileNames(evidence: unknown): string[] {
  return ((evidence ?? []) as { fileName: string }[]).map(({ fileName }) => fileName);
}
