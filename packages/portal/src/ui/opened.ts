/**
 * What a form was opened with, and what was typed since. A record that is read anew under an open form never brings its
 * version into it: what somebody else saved meanwhile would be overwritten without a word. It sends nothing.
 */
import { useState } from 'react';

export interface Opened<T, F> {
  /** The record as the form knows it: its version goes with what is saved. */
  base: T;
  form: F;
}

type Versioned = { version?: string | undefined } | null;
type FormOf<T, F> = (record: T) => F;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The record was read anew: taken in where nothing was typed, or where nothing that the form has is different. */
export function refreshed<T extends Versioned, F>(opened: Opened<T, F>, now: T, formOf: FormOf<T, F>): Opened<T, F> {
  const { base, form } = opened;
  // Of something new there is no record yet, and then another form.
  if (now === null || now.version === base?.version) return opened;
  const before = formOf(base);
  const after = formOf(now);
  if (same(before, after)) return { base: now, form };
  return same(before, form) ? { base: now, form: after } : opened;
}

/** What was typed, over what somebody else saved: fields that were not touched are theirs. */
export function merged<T, F extends object>({ base, form }: Opened<T, F>, theirs: T, formOf: FormOf<T, F>): F {
  const before = formOf(base);
  const names = Object.keys(form) as (keyof F)[];
  const typed = names.filter((name) => !same(form[name], before[name]));
  return { ...formOf(theirs), ...Object.fromEntries(typed.map((name) => [name, form[name]])) };
}

/** Fields that would be saved otherwise than they are on record now. */
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
    /** The form is as this record is: it was saved, or is somebody else's. */
    take: (saved: T) => setOpened({ base: saved, form: formOf(saved) }),
    differing: (theirs: T) => differing(opened, theirs, formOf),
    /** What is to be saved over somebody else's. */
    over: (theirs: T): F => {
      const form = merged(opened, theirs, formOf);
      setOpened({ base: theirs, form });
      return form;
    },
  };
}
