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
                <Sentence of={item} />
              </span>
              {item.href !== null && <LinkButton to={item.href as '/'}>{words.look[item.kind]}</LinkButton>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Sentence({ of: { kind, name, state, count, since } }: { of: Item }) {
  const said = words.kinds[kind](name, state, count);
  if (typeof said === 'string') return said;
  const [before, after] = said;
  return (
    <>
      {before}
      {since === null ? '—' : <Time at={since} />}
      {after}
    </>
  );
}
