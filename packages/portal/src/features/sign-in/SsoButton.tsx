/** Sign-in by the company's identity provider. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { FormFault } from '../../ui/States';
import styles from './Alone.module.css';
import { goToProvider } from './sso';

const words = labelsOf('signIn').sso;

export function SsoButton({
  name,
  next,
  isPrimary,
  again = false,
}: {
  name: string | null;
  next?: string;
  isPrimary?: boolean;
  /** The provider asks who is there, though it may know. */
  again?: boolean;
}) {
  const [state, setState] = useState<'busy' | Error | null>(null);

  async function go(): Promise<void> {
    setState('busy');
    try {
      await goToProvider(next, again);
    } catch (error) {
      setState(error as Error);
    }
  }

  return (
    <div className={styles.other}>
      <FormFault error={state === 'busy' ? null : state} />
      <Button
        look={isPrimary === true ? 'primary' : 'plain'}
        isPending={state === 'busy'}
        onPress={() => {
          void go();
        }}
      >
        {name === null ? words.plain : words.named(name)}
      </Button>
    </div>
  );
}
