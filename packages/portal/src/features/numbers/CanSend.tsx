/** Whether a number can send, and a link to the fix. */
import { Link } from '@tanstack/react-router';
import { labelsOf } from '../../language/labels';
import { Badge } from '../../ui/Status';
import styles from './Numbers.module.css';
import type { NumberRow } from './numbers';

const labels = labelsOf('number');

/** `here`: the page of the number itself, which needs no link to itself. */
export function CanSend({ of: { canSend }, here }: { of: NumberRow; here?: string }) {
  if (canSend.ok) {
    return (
      <span className={styles.fix}>
        <Badge tone="ok" icon="check" word={labels.ready} />
      </span>
    );
  }
  const { sentence = '', fix } = canSend;
  return (
    <span className={styles.fix}>
      <Badge tone="bad" icon="cross" word={sentence} />
      {fix !== undefined && fix.href !== here && <Link to={fix.href}>{fix.label}</Link>}
    </span>
  );
}
