/**
 * The values that a form was opened with, and the input since. A refetched record never changes the version under an
 * open form, because saving would then overwrite another person's change without asking.
 */
import { useState } from 'react';

export interface Opened<T, F> {
  /** The record that the form is based on: its version is sent when saving. */
  base: T;
  form: F;
}

type Versioned = { version?: string | undefined } | null;
type FormOf<T, F> = (record: T) => F;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The record was refetched: applied where nothing was typed, or where none of the form's fields differ. */
export function refreshed<T extends Versioned, F>(opened: Opened<T, F>, now: T, formOf: FormOf<T, F>): Opened<T, F> {
  const { base, form } = opened;
  // A new record has no version yet, and then gets another form.
  if (now === null || now.version === base?.version) return opened;
  const before = formOf(base);
  const after = formOf(now);
  if (same(before, after)) return { base: now, form };
  return same(before, form) ? { base: now, form: after } : opened;
}

/** One's own input on top of another person's save: untouched fields keep the other person's values. */
export function merged<T, F extends object>({ base, form }: Opened<T, F>, theirs: T, formOf: FormOf<T, F>): F {
  const before = formOf(base);
  const names = Object.keys(form) as (keyof F)[];
  const typed = names.filter((name) => !same(form[name], before[name]));
  return { ...formOf(theirs), ...Object.fromEntries(typed.map((name) => [name, form[name]])) };
}

/** Fields in which the form differs from the current record. */
export function differing<T, F extends object>(
  opened: Opened<T, F>,
  theirs: T,
  formOf: FormOf<T, F>,
): { name: keyof F & string; theirs: F[keyof F]; mine: F[keyof F] }[] {
  const now = formOf(theirs);
  const mine = merged(opened, theirs, formOf);
  return (Object.keys(mine) as (keyof F & string)[])
    .filter((name) => !same(now[name], mine[name]))
    .map((name) => ({ name, theirs: now[name], mine: mine[name] }));
}

export function useOpened<T extends Versioned, F extends object>(record: T, formOf: FormOf<T, F>) {
  const [kept, setOpened] = useState<Opened<T, F>>(() => ({ base: record, form: formOf(record) }));
  const opened = refreshed(kept, record, formOf);
  if (opened !== kept) setOpened(opened);
  return {
    ...opened,
    version: opened.base?.version,
    set: (change: Partial<F>) => setOpened((now) => ({ ...now, form: { ...now.form, ...change } })),
    /** The form equals this record: it was saved, or is another person's. */
    take: (saved: T) => setOpened({ base: saved, form: formOf(saved) }),
    differing: (theirs: T) => differing(opened, theirs, formOf),
    /** The values to save over another person's. */
    over: (theirs: T): F => {
      const form = merged(opened, theirs, formOf);
      setOpened({ base: theirs, form });
      return form;
    },
  };
}
