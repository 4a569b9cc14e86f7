/** Sign-in through the company's identity provider. */
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { FormFault } from '../../ui/States';
import styles from './Alone.module.css';

const labels = labelsOf('signIn').sso;

export function SsoButton({
  name,
  next,
  isPrimary,
  again = false,
}: {
  name: string | null;
  next?: string;
  isPrimary?: boolean;
  /** The provider must authenticate the person anew. */
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
        {name === null ? labels.plain : labels.named(name)}
      </Button>
    </div>
  );
}

/**
 * Goes to the identity provider; it sends the browser back to `/login/sso`. `next`: where the person wanted to go.
 * `again`: the provider asks who is there, though it may know.
 */
async function goToProvider(next: string | undefined, again: boolean): Promise<void> {
  const { url } = (await api.post('/sign-in/sso/begin', { next: next ?? null, again })).data;
  location.assign(url);
}
