/** The gateway's verdict on a signature: valid or not, with which secret, how far the clocks differ. */

import { labelsOf } from '../../language/labels';
import { Badge } from '../../ui/Status';
import { Time } from '../../ui/Values';
import styles from './Webhooks.module.css';

const webhookLabels = labelsOf('webhook');

const labels = webhookLabels.verdict;

export type Verdict =
  | { valid: true; by: 'current' | 'old'; until: string | null }
  | { valid: false; reason: string; detail: string };

export function SignatureShown({ of, skewSeconds }: { of: Verdict; skewSeconds: number | null }) {
  return (
    <span className={styles.line}>
      {of.valid ? (
        <Badge tone="ok" icon="check" word={labels.valid} />
      ) : (
        <Badge tone="bad" icon="cross" word={labels.invalid} />
      )}
      <span className={styles.muted}>
        {of.valid ? labels.by[of.by] : of.detail}
        {of.valid && of.until !== null && (
          <>
            {' '}
            <Time at={of.until} />
          </>
        )}
        {skewSeconds !== null && ` · ${labels.skew(skewSeconds)}`}
      </span>
    </span>
  );
}
