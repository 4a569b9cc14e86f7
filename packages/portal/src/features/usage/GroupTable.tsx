/** Usage by number, campaign and so on: SMS in messages and segments, MMS apart, and the cost of each line. */
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { countryName } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { saveText } from '../../ui/download';
import { Select } from '../../ui/Field';
import { Panel, Row } from '../../ui/Page';
import { FormFault, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { Count, Phone } from '../../ui/Values';
import { messagesSearch } from './messages-search';
import { type Days, dayText, type Group } from './periods';
import styles from './Usage.module.css';
import { type By, groupsCsv, useGroups } from './usage';

const words = labelsOf('usage');

const choices: readonly Exclude<By, 'day'>[] = ['number', 'campaign', 'country', 'carrier', 'kind', 'key'];

export function GroupTable({ days, currency }: { days: Days; currency: string | null }) {
  const [asked, setBy] = useUrlText('by');
  const by = choices.find((choice) => choice === asked) ?? 'number';
  const pages = useGroups(days, by);
  const save = useMutation({
    mutationFn: async () =>
      saveText(`usage-${by}-${days.from}-${days.to}.csv`, await groupsCsv(days, by), 'text/csv;charset=utf-8'),
  });
  return (
    <Panel
      title={words.caption(words.by[by])}
      actions={
        <>
          <Select
            label={words.by.label}
            value={by}
            onChange={(value) => setBy(value)}
            choices={choices.map((value) => ({ value, label: words.by[value] }))}
          />
          <span className={styles.low}>
            <Button isPending={save.isPending} onPress={() => save.mutate()}>
              {words.exportCsv}
            </Button>
          </span>
        </>
      }
    >
      <FormFault error={save.error} />
      <Shown of={pages}>
        {(data) => (
          <FiguresTable
            by={by}
            groups={data.pages.flatMap((page) => page.data.groups)}
            days={days}
            currency={currency}
          />
        )}
      </Shown>
      {pages.hasNextPage && (
        <Row>
          <Button isPending={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
            {words.more}
          </Button>
        </Row>
      )}
    </Panel>
  );
}

export function FiguresTable({
  by,
  groups,
  days,
  currency,
}: {
  by: By;
  groups: readonly Group[];
  days: Days;
  currency: string | null;
}) {
  const navigate = useNavigate();
  const hasMessages = by === 'day' || by === 'number' || by === 'kind' || by === 'key';
  const columns = useMemo((): Column<Group>[] => {
    const figure = (name: 'smsMessages' | 'smsSegments' | 'mmsMessages'): Column<Group> => ({
      id: name,
      title: words.figures[name],
      figures: true,
      cell: (group) => <Count value={group[name]} />,
    });
    return [
      { id: 'name', title: words.by[by], cell: ({ name }) => <Name by={by} name={name} /> },
      ...(['smsMessages', 'smsSegments', 'mmsMessages'] as const).map(figure),
      ...(currency === null
        ? []
        : [{ id: 'cost', title: `${words.figures.cost} (${currency})`, figures: true, cell: costOf }]),
      ...(hasMessages
        ? [
            {
              id: 'messages',
              title: words.messages.column,
              cell: (group: Group) => <Messages q={searchOf(by, group, days)} of={group.name} />,
            },
          ]
        : []),
    ];
  }, [by, currency, days, hasMessages]);
  return (
    <Table
      caption={words.caption(words.by[by])}
      rows={groups}
      keyOf={({ name }) => name}
      columns={columns}
      onOpen={
        hasMessages
          ? (group) => {
              const q = searchOf(by, group, days);
              if (q !== null) void navigate({ to: '/messages', search: { q } as never });
            }
          : undefined
      }
    />
  );
}

/** Null: the log cannot be searched for it. */
function searchOf(by: By, { name }: Group, days: Days): string | null {
  if (by === 'day') return messagesSearch({ from: name, to: name }, {});
  if (name === '') return null;
  if (by === 'number') return messagesSearch(days, { numbers: [name] });
  if (by === 'kind') return messagesSearch(days, { kind: name });
  return by === 'key' ? messagesSearch(days, { key: name }) : null;
}

function Messages({ q, of }: { q: string | null; of: string }) {
  if (q === null) return '—';
  return (
    <Link to="/messages" search={{ q } as never} aria-label={words.messages.of(of)}>
      {words.messages.show}
    </Link>
  );
}

function costOf({ cost }: Group): string {
  return cost ?? '—';
}

function Name({ by, name }: { by: By; name: string }) {
  if (name === '') return by === 'campaign' || by === 'country' ? words.none[by] : words.none.other;
  switch (by) {
    case 'day':
      return dayText(name);
    case 'number':
      return (
        <Link to="/numbers/$number" params={{ number: name }}>
          <Phone digits={name} />
        </Link>
      );
    case 'campaign':
      return (
        <Link to="/campaigns/$campaignId" params={{ campaignId: name }}>
          {name}
        </Link>
      );
    case 'country':
      return `${countryName(name)} (${name})`;
    case 'key':
    case 'carrier':
      return <code>{name}</code>;
    default:
      return name;
  }
}
