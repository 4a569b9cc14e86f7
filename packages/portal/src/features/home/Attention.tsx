/** Items that need a person, each with a link to the fix. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { Badge } from '../../ui/Status';
import { Time } from '../../ui/Values';
import styles from './Home.module.css';
import type { Home, Attention as Item } from './home-data';

const homeLabels = labelsOf('home');

const labels = homeLabels.attention;

export function Attention({ list, carriers }: { list: readonly Item[]; carriers: Home['carriers'] }) {
  return (
    <Panel
      title={labels.title}
      actions={
        carriers !== null &&
        carriers.all > 0 && (
          <Link to="/carriers" className={styles.carriers}>
            <Badge
              tone={carriers.up === carriers.all ? 'ok' : 'bad'}
              icon={carriers.up === carriers.all ? 'check' : 'cross'}
              word={labels.carriers(carriers.up, carriers.all)}
            />
          </Link>
        )
      }
    >
      {list.length === 0 ? (
        <p className={styles.noAttention}>{labels.none}</p>
      ) : (
        <ul className={styles.attention}>
          {list.map((item) => (
            <li key={`${item.kind} ${item.name}`}>
              <Badge tone="warn" icon="warning" word={labels.tags[item.kind]} />
              <span className={styles.grow}>
                <Sentence of={item} />
              </span>
              {item.kind === 'clock' && <ConfirmClock />}
              {item.href !== null && (
                <LinkButton look="quiet" to={item.href as '/'}>
                  {labels.look[item.kind]}
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Confirms the machine's clock, which the gateway then uses. */
function ConfirmClock() {
  const client = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => api.post('/clock/confirm', {}),
    onSettled: () => client.invalidateQueries({ queryKey: ['home'] }),
  });
  return (
    <Button onPress={() => confirm.mutate()} isPending={confirm.isPending}>
      {labels.look.clock}
    </Button>
  );
}

function Sentence({ of: { kind, name, state, count, since } }: { of: Item }) {
  const label = labels.kinds[kind](name, state, count);
  if (typeof label === 'string') return label;
  const [before, after] = label;
  return (
    <>
      {before}
      {since === null ? '—' : <Time at={since} />}
      {after}
    </>
  );
}
