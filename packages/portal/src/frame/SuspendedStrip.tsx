/** Says above every page that the company is suspended, which explains whatever is refused. Nobody of the company can end that. */

import { labelsOf } from '../language/labels';
import { Notice } from '../ui/States';
import styles from './Frame.module.css';

const words = labelsOf('suspended');

export function SuspendedStrip() {
  return (
    <div role="status" className={styles.above}>
      <Notice tone="warn" title={words.title}>
        <p>{words.detail}</p>
      </Notice>
    </div>
  );
}
