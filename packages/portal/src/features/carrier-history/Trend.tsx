/** Messages of a period as a row of small bars, with a sentence for screen readers. Unknown values are gaps. */
import { labelsOf } from '../../language/labels';
import styles from './CarrierHistory.module.css';

const labels = labelsOf('carrierHistory');
const height = 18;

export function Trend({ counts }: { counts: readonly (number | null)[] }) {
  const most = Math.max(1, ...counts.map((count) => count ?? 0));
  const total = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return (
    <svg className={styles.trend} viewBox={`0 0 ${counts.length * 4} ${height}`} role="img" preserveAspectRatio="none">
      <title>{labels.trendOf(total)}</title>
      {counts.map((count, index) => {
        if (count === null) return null;
        const high = Math.max(1, Math.round((count / most) * (height - 1)));
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its index
        return <rect key={index} x={index * 4} y={height - high} width="3" height={high} fill="currentColor" />;
      })}
    </svg>
  );
}
