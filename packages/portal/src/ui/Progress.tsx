/** The used part of a limit, as a bar; the figures stand beside it. */
import styles from './Progress.module.css';

/** `full`: in the warning colour. */
export function Progress({ label, value, max, full }: { label: string; value: number; max: number; full?: boolean }) {
  return (
    <progress
      aria-label={label}
      className={full === true ? `${styles.bar} ${styles.full}` : styles.bar}
      max={max}
      value={Math.min(max, value)}
    />
  );
}
