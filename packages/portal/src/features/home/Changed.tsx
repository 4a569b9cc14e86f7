/** How a figure changed against the period before: a sign and words; the colour only adds to them. */
import { labelsOf } from '../../language/labels';
import styles from './Figures.module.css';
import type { Change } from './figures';

const words = labelsOf('figure');

export function Changed({ change }: { change: Change | null }) {
  if (change === null) return <span className={styles.change}>&nbsp;</span>;
  return (
    <span className={`${styles.change} ${change.isWorse ? styles.worse : ''}`}>
      <span className="visually-hidden">{words.before} </span>
      {change.sign !== '' && <span aria-hidden="true">{change.sign} </span>}
      {change.text}
    </span>
  );
}
