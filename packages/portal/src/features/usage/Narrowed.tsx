/** The filters of the usage page, as chips that remove them, with a link to the messages. */
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { countryName } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { phoneText } from '../../ui/Values';
import { useKeys } from '../keys/keys';
import { usePeople } from '../settings/people';
import { type Dimension, dimensions, type Filter, messagesSearch, personPrefix, withSet } from './filter';
import { type Days, dayText } from './periods';
import styles from './Usage.module.css';

const labels = labelsOf('usage');

export function Narrowed({ day, days, filter }: { day: string | null; days: Days; filter: Filter }) {
  const router = useRouter();
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const nameOf = useNames();
  const chips = [
    ...(day === null ? [] : [{ name: 'day', text: dayText(day) }]),
    ...dimensions.flatMap((name) => {
      const value = filter[name];
      return value === undefined ? [] : [{ name, text: `${titleOf(name, value)}: ${nameOf(name, value)}` }];
    }),
  ];
  if (chips.length === 0) return null;
  const without = (names: readonly string[]): void =>
    router.history.push(withSet({ pathname: '/usage', search }, Object.fromEntries(names.map((name) => [name, '']))));
  const q = messagesSearch(day === null ? days : { from: day, to: day }, filter);
  return (
    <ul className={styles.chips} aria-label={labels.filter.label}>
      {chips.map(({ name, text }) => (
        <li key={name}>
          <Button icon="cross" aria-label={labels.filter.remove(text)} onPress={() => without([name])}>
            {text}
          </Button>
        </li>
      ))}
      <li>
        <Button look="quiet" onPress={() => without(['day', ...dimensions])}>
          {labels.filter.clear}
        </Button>
      </li>
      {q !== null && (
        <li>
          <Link to="/messages" search={{ q } as never}>
            {labels.filter.messages}
          </Link>
        </li>
      )}
    </ul>
  );
}

function titleOf(name: Dimension, value: string): string {
  return labels.by[name === 'key' && value.startsWith(personPrefix) ? 'person' : name];
}

/** Display names for ids. */
export function useNames(): (by: Dimension, name: string) => string {
  const keys = useKeys();
  const people = usePeople();
  return (by, name) => {
    if (by === 'number') return phoneText(name);
    if (by === 'country') return `${countryName(name)} (${name})`;
    if (by !== 'key') return name;
    const userId = name.startsWith(personPrefix) ? name.slice(personPrefix.length) : null;
    if (userId !== null) return people.data?.find((one) => one.userId === userId)?.name ?? userId;
    return labels.answers[name] ?? keys.data?.find(({ keyId }) => keyId === name)?.name ?? name;
  };
}
