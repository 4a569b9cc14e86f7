/** The main figures of a page, side by side, each with its change. A figure may link to the counted items. */
import { Link } from '@tanstack/react-router';
import { labelsOf } from '../language/labels';
import type { Change } from './change';
import styles from './KeyFigures.module.css';

const labels = labelsOf('ui').change;

export interface KeyFigure {
  id: string;
  name: string;
  /** The counted items. */
  about?: string;
  value: string;
  change: Change | null;
  /** URL of the counted items. */
  to?: string;
}

export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  return (
    <ul className={styles.figures}>
      {figures.map(({ id, name, about, value, change, to }) => {
        const shown = (
          <>
            <span className={styles.name}>{name}</span>
            <span className={styles.value}>{value}</span>
            <Changed change={change} />
          </>
        );
        return (
          <li key={id} data-figure={id}>
            {to === undefined ? (
              <div className={styles.figure} title={about}>
                {shown}
              </div>
            ) : (
              <Link to={to as '/'} title={about} className={styles.figure}>
                {shown}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Sign and words; the colour only repeats them. */
export function Changed({ change }: { change: Change | null }) {
  if (change === null) return <span className={styles.change}>&nbsp;</span>;
  return (
    <span className={`${styles.change} ${change.isWorse ? styles.worse : ''}`}>
      <span className="visually-hidden">{labels.before} </span>
      {change.sign !== '' && <span aria-hidden="true">{change.sign} </span>}
      {change.text}
    </span>
  );
}
