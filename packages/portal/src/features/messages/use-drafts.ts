/** The drafts of this person in this browser (other tabs change them too), and the draft of a form. */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useMe } from '../../api/session';
import { useUrlText } from '../../ui/url';
import { type Draft, draftsName, draftsOf, dropDraft, isEmpty, type KeptDraft, keepDraft } from './draft';

/** Notifies this tab, which gets no `storage` event of its own. */
const changed = 'helio-drafts';

function useWhose(): string {
  const { user, account, environment } = useMe();
  return [user.userId, account.accountId, environment].join(' ');
}

export interface Drafts {
  list: readonly KeptDraft[];
  keep(draft: KeptDraft): void;
  drop(id: string): void;
}

export function useDrafts(): Drafts {
  const whose = useWhose();
  const [, look] = useState(0);
  useEffect(() => {
    const lookAgain = () => look((looks) => looks + 1);
    const heard = ({ key }: StorageEvent) => (key === draftsName || key === null) && lookAgain();
    addEventListener('storage', heard);
    addEventListener(changed, lookAgain);
    return () => {
      removeEventListener('storage', heard);
      removeEventListener(changed, lookAgain);
    };
  }, []);
  return {
    list: draftsOf(localStorage, whose, Date.now()),
    keep: (draft) => {
      keepDraft(localStorage, draft);
      dispatchEvent(new Event(changed));
    },
    drop: (id) => {
      dropDraft(localStorage, id, Date.now());
      dispatchEvent(new Event(changed));
    },
  };
}

/** Which draft the URL names, and how often a form has started again because the URL named another. */
export function useShownDraft() {
  const router = useRouter();
  const [id] = useUrlText('draft');
  const [shown, setShown] = useState({ seen: id, form: 0, made: null as string | null });
  if (id !== shown.seen) {
    // A form that became a draft while being typed, or that was sent, stays unchanged.
    const stays = id === shown.made;
    setShown({ seen: id, form: stays ? shown.form : shown.form + 1, made: stays ? id : null });
  }
  return {
    id,
    form: shown.form,
    become: (made: string) => {
      setShown((now) => ({ ...now, made }));
      const { pathname, search } = router.history.location;
      const values = new URLSearchParams(search);
      if (made === '') values.delete('draft');
      else values.set('draft', made);
      router.history.replace(`${pathname}${values.size === 0 ? '' : `?${values}`}`);
    },
  };
}

/** The form as the person left it, or empty; its input is stored until it is sent. */
export function useDraft(
  begin: Draft,
  usable: (number: string) => boolean,
  { list, keep, drop }: Drafts,
  shown: ReturnType<typeof useShownDraft>,
) {
  const whose = useWhose();
  const [form, setForm] = useState<Draft>(() => {
    const kept = list.find(({ id }) => id === shown.id);
    if (kept === undefined) return begin;
    const { to, text, media, reference } = kept;
    return { from: usable(kept.from) ? kept.from : begin.from, to, text, media, reference };
  });
  // The URL changes a moment after the next key can be pressed.
  const own = useRef(shown.id);
  const leave = (): void => {
    drop(own.current);
    own.current = '';
    shown.become('');
  };
  return {
    form,
    isKept: list.some(({ id }) => id === shown.id),
    set<K extends keyof Draft>(name: K, value: Draft[K]): void {
      const next: Draft = { ...form, [name]: value };
      setForm(next);
      if (own.current === '' && isEmpty(next)) return;
      const at = Date.now();
      const isNew = own.current === '';
      if (isNew) own.current = `d${at.toString(36)}`;
      keep({ ...next, id: own.current, whose, at });
      if (isNew) shown.become(own.current);
    },
    sent: leave,
    /** An empty form, with the same sending number. */
    anew: (): void => {
      setForm({ from: form.from, to: '', text: '', media: [], reference: '' });
      leave();
    },
    discard: (): void => {
      setForm(begin);
      leave();
    },
  };
}
