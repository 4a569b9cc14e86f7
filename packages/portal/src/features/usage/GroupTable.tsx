/**
 * Usage by number, campaign and so on: compared with the days before, with outcomes and cost. A row narrows the page to
 * its group.
 */
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { numberText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { countChange } from '../../ui/change';
import { saveText } from '../../ui/download';
import { Select } from '../../ui/Field';
import { Changed } from '../../ui/KeyFigures';
import { Panel, Row } from '../../ui/Page';
import { FormFault, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { Count } from '../../ui/Values';
import { byMessages, type Grouped, outcomesOf, rateOf, rateText } from './figures';
import { dimensionOf, type Grouping, groupings, withSet } from './filter';
import { useNames } from './Narrowed';
import { messagesOf } from './periods';
import styles from './Usage.module.css';
import { groupsCsv, groupsOf, type Range, useGroups, useOutcomes } from './usage';

const labels = labelsOf('usage');

export function useGrouping(): [Grouping, (by: string) => void] {
  const [param, setBy] = useUrlText('by');
  return [groupings.find((choice) => choice === param) ?? 'number', (by) => setBy(by)];
}

export function GroupTable({ range, currency }: { range: Range; currency: string | null }) {
  const [by, setBy] = useGrouping();
  const pages = useGroups(range, by);
  const outcomes = useOutcomes(range, by);
  const { from, to } = range.days;
  const save = useMutation({
    mutationFn: async () =>
      saveText(`usage-${by}-${from}-${to}.csv`, await groupsCsv(range, by), 'text/csv;charset=utf-8'),
  });
  return (
    <Panel
      title={labels.caption(labels.by[by])}
      actions={
        <>
          <Select
            label={labels.by.label}
            value={by}
            onChange={setBy}
            choices={groupings.map((value) => ({ value, label: labels.by[value] }))}
          />
          <span className={styles.low}>
            <Button isPending={save.isPending} onPress={() => save.mutate()}>
              {labels.exportCsv}
            </Button>
          </span>
        </>
      }
    >
      <FormFault error={save.error} />
      <Shown of={pages} leads>
        {(data) => {
          const groups = groupsOf(
            by,
            data.pages.flatMap((page) => page.data.groups),
          );
          const counted = outcomesOf(
            groups.map(({ name }) => name),
            outcomes.data?.groups ?? [],
          );
          const rows = groups.map((group, i) => ({ ...group, outcomes: counted[i]! }));
          return rows.length === 0 ? (
            <p>{labels.none.groups}</p>
          ) : (
            <Groups by={by} groups={byMessages(rows)} currency={currency} />
          );
        }}
      </Shown>
      {outcomes.data?.whole === false && <p className={styles.told}>{labels.partly(outcomes.data.looked)}</p>}
      {pages.hasNextPage && (
        <Row>
          <Button isPending={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
            {labels.more}
          </Button>
        </Row>
      )}
    </Panel>
  );
}

function Groups({ by, groups, currency }: { by: Grouping; groups: readonly Grouped[]; currency: string | null }) {
  const router = useRouter();
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const nameOf = useNames();
  const dimension = dimensionOf(by);
  /** Null: a group without a name cannot be selected. */
  const hrefOf = ({ name }: Grouped): string | null =>
    name === '' ? null : withSet({ pathname: '/usage', search }, { [dimension]: name });
  const columns: Column<Grouped>[] = [
    {
      id: 'name',
      title: labels.by[by],
      cell: (group) => {
        const href = hrefOf(group);
        if (href === null) return by === 'campaign' || by === 'country' ? labels.none[by] : labels.none.other;
        return (
          <Link to={href as '/'} data-opens>
            <bdi>{nameOf(dimension, group.name)}</bdi>
          </Link>
        );
      },
    },
    { id: 'messages', title: labels.figures.messages, figures: true, cell: (one) => <Count value={messagesOf(one)} /> },
    {
      id: 'change',
      title: labels.figures.before,
      figures: true,
      cell: (one) => (
        <Changed change={countChange(messagesOf(one), one.before === null ? null : messagesOf(one.before) || null)} />
      ),
    },
    { id: 'rate', title: labels.figures.rate, figures: true, cell: ({ outcomes }) => rateText(rateOf(outcomes)) },
    { id: 'failed', title: labels.figures.failed, figures: true, cell: ({ outcomes }) => numberText(outcomes.failed) },
    ...(['smsSegments', 'mmsMessages'] as const).map(
      (name): Column<Grouped> => ({
        id: name,
        title: labels.figures[name],
        figures: true,
        cell: (group) => <Count value={group[name]} />,
      }),
    ),
    ...(currency === null
      ? []
      : [
          {
            id: 'cost',
            title: `${labels.figures.cost} (${currency})`,
            figures: true,
            cell: ({ cost }: Grouped) => cost ?? '—',
          },
        ]),
  ];
  return (
    <Table
      caption={labels.caption(labels.by[by])}
      rows={groups}
      keyOf={({ name }) => name}
      columns={columns}
      onOpen={(group) => {
        const href = hrefOf(group);
        if (href !== null) router.history.push(href);
      }}
    />
  );
}
