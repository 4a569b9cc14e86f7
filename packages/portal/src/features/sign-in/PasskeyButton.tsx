/**
 * A passkey in place of a password or a code. If the person or the browser cancels it, that is reported, but not as an
 * error.
 */
import { useState } from 'react';
import { askPasskey, hasPasskeys, PasskeyEnded } from '../../api/passkeys';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { FormFault } from '../../ui/States';
import styles from './Alone.module.css';

const labels = labelsOf('passkey');

export function PasskeyButton({
  onResponse,
  isPrimary,
}: {
  /** Sends the authenticator's response. */
  onResponse(response: object): Promise<unknown>;
  isPrimary?: boolean;
}) {
  const [state, setState] = useState<'busy' | Error | null>(null);
  if (!hasPasskeys()) return <p>{labels.needsHttps}</p>;

  async function use(): Promise<void> {
    setState('busy');
    try {
      await onResponse(await askPasskey());
      setState(null);
    } catch (error) {
      setState(error as Error);
    }
  }

  return (
    <div className={styles.other}>
      <PasskeyFault error={state === 'busy' ? null : state} />
      <Button
        look={isPrimary === true ? 'primary' : 'plain'}
        isPending={state === 'busy'}
        onPress={() => {
          void use();
        }}
      >
        {labels.use}
      </Button>
    </div>
  );
}

export function PasskeyFault({ error }: { error: Error | null }) {
  if (!(error instanceof PasskeyEnded)) return <FormFault error={error} />;
  return <p role="status">{labels.ended[error.why]}</p>;
}
