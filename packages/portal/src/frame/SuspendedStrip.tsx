/** Says above every page that the company is suspended, which explains whatever is refused. Nobody of the company can end that. */
import { Notice } from '../ui/States';
import { suspendedWords as words } from '../words/en/suspended';
import styles from './Frame.module.css';

export function SuspendedStrip() {
  return (
    <div role="status" className={styles.above}>
      <Notice tone="warn" title={words.title}>
        <p>{words.detail}</p>
      </Notice>
    </div>
  );
}
