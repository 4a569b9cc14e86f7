/**
 * Edits records for operators: based on the current version, audited in the same commit, and in force before the
 * answer. Validated by the rules of `helio apply`.
 */
import type { Clock } from '../../kernel/clock.ts';
import { recordVersion } from '../../kernel/record-version.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import type { RecordsEdit } from '../../messaging/store/records-items.ts';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import { auditEntryOf, type FieldFaults, type Person, type Refusal } from '../../model/person.ts';
import type { Account, CarrierRecord, Records, Route } from '../../model/records.ts';

/** The content of a form: fields as in a records file, only those that change. */
export type Form = Readonly<Record<string, unknown>>;

export type Judged<T> = { ok: true; record: T; warnings: string[] } | { ok: false; fields: FieldFaults };

export interface RecordRules {
  carrier(form: Form, records: Records): Judged<CarrierRecord>;
  route(form: Form, records: Records): Judged<Route>;
  account(form: Form, records: Records): Judged<Account>;
}

/** Somebody changed it meanwhile; `current` is its present state. */
export type Changed = { kind: 'changed'; current: object };

export type AuditNote = Pick<NewAuditEntry, 'what' | 'target' | 'before' | 'after'>;

/** The writes of an edit; null when nothing would change. */
export interface Edit<T> {
  kind: 'edit';
  put: RecordsEdit['put'];
  dropRoutes?: string[];
  note: AuditNote | null;
  result: T;
}

export interface RecordsService {
  edit<T>(
    person: Person,
    make: (records: Records) => Edit<T> | Refusal | Changed,
  ): Promise<{ kind: 'done'; result: T } | Refusal | Changed>;
}

export interface RecordsServiceParts {
  clock: Clock;
  store: Pick<RecordsStore, 'records' | 'editRecords'>;
  /** Makes the changed records take effect at once. */
  refresh(): Promise<unknown>;
}

/** After this many concurrent edits, the person should look again. */
const triesMax = 5;

export function createRecordsService({ clock, store, refresh }: RecordsServiceParts): RecordsService {
  return {
    async edit(person, make) {
      for (let tries = 0; tries < triesMax; tries++) {
        const records = await store.records();
        const made = make(records);
        if (made.kind !== 'edit') return made;
        if (made.note === null) return { kind: 'done', result: made.result };
        const { put, dropRoutes = [], note } = made;
        const audit = [auditEntryOf(person, clock.now(), note)];
        if ((await store.editRecords({ version: records.version, put, dropRoutes, audit })) === null) continue;
        await refresh();
        return { kind: 'done', result: made.result };
      }
      return { kind: 'conflict', detail: 'The records change all the time just now. Try again.' };
    },
  };
}

/** Null when the record is unchanged since the person read it. */
export function changedSince(record: object, version: string, shown: () => object): Changed | null {
  return recordVersion(record) === version ? null : { kind: 'changed', current: shown() };
}

/** The fields that differ between two sets; null when none does. */
export function difference(
  before: Form,
  after: Form,
): { before: Record<string, unknown>; after: Record<string, unknown> } | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => asJson(before[name]) !== asJson(after[name]));
  if (differing.length === 0) return null;
  const only = (fields: Form) => Object.fromEntries(differing.map((name) => [name, fields[name] ?? null]));
  return { before: only(before), after: only(after) };
}

/** Sorts the fields: an earlier version may have written them in another order. */
function asJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
