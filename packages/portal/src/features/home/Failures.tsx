/** Failed texts of a day, by their reason. */
import { Link } from '@tanstack/react-router';
import { labelsOf } from '../../language/labels';
import { Panel } from '../../ui/Page';
import { type Column, Table } from '../../ui/Table';
import { Count, ReasonLink, Time } from '../../ui/Values';
import styles from './Home.module.css';
import type { Home } from './home-data';

const homeWords = labelsOf('home');

const words = homeWords.failures;
type Failure = Home['failures'][number];

const columns: readonly Column<Failure>[] = [
  { id: 'reason', title: words.reason, cell: ({ code }) => <ReasonLink code={code} /> },
  { id: 'count', title: words.count, figures: true, cell: ({ count }) => <Count value={count} /> },
  { id: 'last', title: words.last, cell: ({ last }) => <Time at={last} form="relative" /> },
  {
    id: 'find',
    title: '',
    cell: ({ code }) => (
      <Link to="/messages" search={{ q: `reason:${code}` } as never}>
        {words.find}
      </Link>
    ),
  },
];

export function Failures({ list }: { list: readonly Failure[] }) {
  return (
    <Panel title={words.title}>
      {list.length === 0 ? (
        <p className={styles.muted}>{words.none}</p>
      ) : (
        <Table caption={words.title} columns={columns} rows={list} keyOf={({ code }) => code} compact />
      )}
    </Panel>
  );
}
