/** The actions on key pairs: the open dialog, and the tokens of a new pair. */
import { useState } from 'react';
import { confirmFirst } from '../../api/client';
import type { KeyPair, NewPair } from '../../api/routes/keys';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { OneTimeSecretSheet } from '../../ui/OneTimeSecret';
import { Notice } from '../../ui/States';
import { Code } from '../../ui/Values';
import { RevokeDialog, RotateKeyDialog } from './KeyDialogs';
import { KeyForm } from './KeyForm';
import { envBlock, firstCurl } from './keys';

const keyLabels = labelsOf('key');
const copiedLabels = labelsOf('copied');
const labels = keyLabels.made;

/** The seeded numbers of the sandbox; a live pair needs the person's own. */
const sandboxFrom = '12025550199';
const sandboxTo = '12025550100';
const liveFrom = 'YOUR_NUMBER';
const liveTo = 'YOUR_MOBILE';

/** Both tokens of a new pair, shown only now: to copy one by one, as a .env block, or in a first curl. */
function NewTokens({ pair, onClose }: { pair: NewPair; onClose(): void }) {
  const { baseUrl } = useMe();
  const [copied, setCopied] = useState({ bearer: false, auth: false });
  const isLive = pair.environment === 'live';
  const from = pair.numbers[0] ?? (isLive ? liveFrom : sandboxFrom);
  const to = isLive ? liveTo : sandboxTo;
  const both = () => setCopied({ bearer: true, auth: true });
  const isKept = copied.bearer && copied.auth;
  return (
    <OneTimeSecretSheet title={labels.title} done={labels.done} isKept={isKept} labels={labels} onClose={onClose}>
      <Notice tone="warn" title={labels.once} />
      <h3>{keyLabels.bearer}</h3>
      <Code
        text={pair.bearerToken}
        what={keyLabels.bearer}
        onCopied={() => setCopied((now) => ({ ...now, bearer: true }))}
      />
      <h3>{keyLabels.auth}</h3>
      <Code text={pair.authToken} what={keyLabels.auth} onCopied={() => setCopied((now) => ({ ...now, auth: true }))} />
      <h3>{labels.env}</h3>
      <Code text={envBlock(baseUrl, pair)} what=".env block" onCopied={both} />
      {pair.scopes.includes('send') && (
        <>
          <h3>{labels.curl}</h3>
          {isLive && <p>{labels.curlHelp(liveTo)}</p>}
          <Code
            text={firstCurl(baseUrl, pair, { from, to, text: labels.text })}
            what={copiedLabels.curlCommand}
            onCopied={both}
          />
        </>
      )}
    </OneTimeSecretSheet>
  );
}

type KeyAction = 'change' | 'rotate' | 'revoke';
export type OpenDialog = { what: 'create' } | { what: KeyAction; key: KeyPair };

/** A revoked pair stays revoked; a rotated one has its successor. */
export function possible({ status, replacedBy }: KeyPair): KeyAction[] {
  if (status === 'revoked') return [];
  return replacedBy === null ? ['change', 'rotate', 'revoke'] : ['change', 'revoke'];
}

/** Each action needs a recent password; the prompt comes before the dialog, not at its end. */
export function useKeyDialog(): [OpenDialog | null, (dialog: OpenDialog) => void, () => void] {
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  return [dialog, (next) => void confirmFirst(() => setDialog(next)), () => setDialog(null)];
}

export function KeyActions({ dialog, onClose }: { dialog: OpenDialog | null; onClose(): void }) {
  const [made, setMade] = useState<NewPair | null>(null);
  return (
    <>
      {dialog?.what === 'create' && <KeyForm of={null} onClose={onClose} onMade={setMade} />}
      {dialog?.what === 'change' && <KeyForm of={dialog.key} onClose={onClose} onMade={setMade} />}
      {dialog?.what === 'rotate' && <RotateKeyDialog of={dialog.key} onClose={onClose} onMade={setMade} />}
      {dialog?.what === 'revoke' && <RevokeDialog of={dialog.key} onClose={onClose} />}
      {made !== null && <NewTokens pair={made} onClose={() => setMade(null)} />}
    </>
  );
}
