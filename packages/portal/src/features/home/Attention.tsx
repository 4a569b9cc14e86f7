/** What needs a person, each with a way to its remedy. */
import { LinkButton } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { Badge } from '../../ui/Status';
import { Time } from '../../ui/Values';
import { homeWords } from '../../words/en/home';
import styles from './Home.module.css';
import type { Attention as Item } from './home-data';

const words = homeWords.attention;

export function Attention({ list }: { list: readonly Item[] }) {
  return (
    <Panel title={words.title}>
      {list.length === 0 ? (
        <p className={styles.muted}>{words.none}</p>
      ) : (
        <ul className={styles.attention}>
          {list.map((item) => (
            <li key={`${item.kind} ${item.name}`}>
              <Badge tone="warn" icon="warning" word={words.tags[item.kind]} />
              <span className={styles.grow}>
                {words.kinds[item.kind](item.name, item.state, item.count)}{' '}
                {item.since !== null && (
                  <span className={styles.muted}>
                    {words.since} <Time at={item.since} />
                  </span>
                )}
              </span>
              {item.href !== null && <LinkButton to={item.href as '/'}>{words.look[item.kind]}</LinkButton>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
