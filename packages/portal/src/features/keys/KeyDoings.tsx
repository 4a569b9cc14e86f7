/** What can be done with key pairs: the window that is open, and the tokens of a pair that was just made. */
import { useState } from 'react';
import { confirmFirst } from '../../api/client';
import type { KeyPair, NewPair } from '../../api/routes/keys';
import { RevokeDialog, RotateKeyDialog } from './KeyDialogs';
import { KeyForm } from './KeyForm';
import { NewTokens } from './NewTokens';

type Doing = 'change' | 'rotate' | 'revoke';
export type Asked = { what: 'create' } | { what: Doing; key: KeyPair };

/** A revoked pair stays so; one that was rotated has its successor. */
export function possible({ status, replacedBy }: KeyPair): Doing[] {
  if (status === 'revoked') return [];
  return replacedBy === null ? ['change', 'rotate', 'revoke'] : ['change', 'revoke'];
}

/** Each of them needs the password of a person who signed in a while ago: asked for before the window opens, not at its end. */
export function useAsked(): [Asked | null, (asked: Asked) => void, () => void] {
  const [asked, setAsked] = useState<Asked | null>(null);
  return [asked, (next) => void confirmFirst(() => setAsked(next)), () => setAsked(null)];
}

export function KeyDoings({ asked, onClose }: { asked: Asked | null; onClose(): void }) {
  const [made, setMade] = useState<NewPair | null>(null);
  return (
    <>
      {asked?.what === 'create' && <KeyForm of={null} onClose={onClose} onMade={setMade} />}
      {asked?.what === 'change' && <KeyForm of={asked.key} onClose={onClose} onMade={setMade} />}
      {asked?.what === 'rotate' && <RotateKeyDialog of={asked.key} onClose={onClose} onMade={setMade} />}
      {asked?.what === 'revoke' && <RevokeDialog of={asked.key} onClose={onClose} />}
      {made !== null && <NewTokens pair={made} onClose={() => setMade(null)} />}
    </>
  );
}
