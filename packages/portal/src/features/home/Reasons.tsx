/**
 * Why messages failed in the period: how often, when, and compared with the period before. Each links to its messages.
 */
import { Link } from '@tanstack/react-router';
import type { HomePeriod, HomeReason } from '../../api/routes/home';
import { labelsOf } from '../../language/labels';
import { Icon } from '../../ui/icons';
import { Changed } from '../../ui/KeyFigures';
import { Count } from '../../ui/Values';
import styles from './Figures.module.css';
import { reasonChange, reasonLog } from './figures';

const labels = labelsOf('figure').reasons;

export function Reasons({ data: { reasons, from, before } }: { data: HomePeriod }) {
  return (
    <section className={styles.reasons} aria-label={labels.title}>
      <h3>{labels.title}</h3>
      {reasons.length === 0 ? (
        <p className={styles.muted}>{labels.none}</p>
      ) : (
        <table>
          <caption className="visually-hidden">{labels.title}</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">{labels.reason}</th>
              <th scope="col">{labels.trend}</th>
              <th scope="col">{labels.count}</th>
              <th scope="col">{labels.change}</th>
            </tr>
          </thead>
          <tbody>
            {reasons.map((reason) => (
              <tr key={reason.code} data-reason={reason.code}>
                <td className={styles.code}>
                  <Link to={reasonLog(reason.code, { from }) as '/'}>{reason.code}</Link>
                  <Link
                    to="/reasons/$code"
                    params={{ code: reason.code }}
                    aria-label={labels.means(reason.code)}
                    title={labels.means(reason.code)}
                    className={styles.means}
                  >
                    <Icon name="info" />
                  </Link>
                </td>
                <td className={styles.trend}>
                  <Trend {...reason} />
                </td>
                <td className={styles.count}>
                  <Count value={reason.count} />
                </td>
                <td>
                  <Changed change={reasonChange(reason, before)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const height = 18;

function Trend({ bars }: Pick<HomeReason, 'bars'>) {
  const most = Math.max(1, ...bars);
  return (
    <svg
      role="img"
      aria-label={labels.most(most)}
      viewBox={`0 0 ${bars.length * 3} ${height}`}
      preserveAspectRatio="none"
    >
      {bars.map((count, index) => {
        const size = count === 0 ? 1 : Math.max(2, (count / most) * height);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its index
            key={index}
            className={count === 0 ? styles.idle : styles.some}
            x={index * 3}
            width={2}
            y={height - size}
            height={size}
          />
        );
      })}
    </svg>
  );
}
