/** A banner while the company is suspended, which explains the refusals. Only the operator can end that. */

import { labelsOf } from '../language/labels';
import { Notice } from '../ui/States';
import styles from './Frame.module.css';

const labels = labelsOf('suspended');

export function SuspendedStrip() {
  return (
    <div role="status" className={styles.above}>
      <Notice tone="warn" title={labels.title}>
        <p>{labels.detail}</p>
      </Notice>
    </div>
  );
}
