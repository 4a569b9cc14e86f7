/** Who did what: filtered, with what changed, and whether the log is whole. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, query } from '../../api/client';
import { Button } from '../../ui/Button';
import { saveAnswer } from '../../ui/download';
import { Select } from '../../ui/Field';
import { Page, Row } from '../../ui/Page';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { CopyButton, momentText, Time } from '../../ui/Values';
import { auditWords as words } from '../../words/en/audit';
import { type Person, usePeople } from '../settings/people';
import styles from './Audit.module.css';
import { differences, fieldText, readable } from './diff';

interface Entry {
  position: number;
  at: string;
  userId: string | null;
  who: string;
  what: string;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
  requestId: string | null;
}

interface Log {
  entries: Entry[];
  chain: { ok: boolean; rows: number; brokenAt?: number; since?: string | null };
  next: string | null;
}

export function AuditPage() {
  const [who, setWho] = useUrlText('who');
  const [what, setWhat] = useUrlText('what');
  const [before, setBefore] = useUrlText('before');
  const people = usePeople();
  const filter = { who, what };
  const log = useQuery({
    queryKey: ['audit', who, what, before],
    queryFn: async (): Promise<Log> => {
      const answer = await api.get<Omit<Log, 'next'>>(`/audit${query({ ...filter, before })}`);
      return { ...answer.data, next: answer.next ?? null };
    },
  });
  const save = useMutation({ mutationFn: () => saveAnswer('audit.csv', `/audit.csv${query(filter)}`) });
  const areas = Object.entries(words.words).map(([value, label]) => ({ value, label }));
  const known = what === '' || areas.some(({ value }) => value === what);
  return (
    <Page
      title={words.title}
      actions={
        <Button isPending={save.isPending} onPress={() => save.mutate()}>
          {words.export}
        </Button>
      }
    >
      <FormFault error={save.error} />
      <Row>
        <Select
          label={words.who}
          value={who}
          onChange={(value) => setWho(value, { before: '' })}
          choices={[
            { value: '', label: words.everybody },
            ...(people.data ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
          ]}
        />
        <Select
          label={words.what}
          value={what}
          onChange={(value) => setWhat(value, { before: '' })}
          choices={[
            { value: '', label: words.everything },
            ...(known ? [] : [{ value: what, label: readable(what, words.words) }]),
            ...areas,
          ]}
        />
      </Row>
      <Shown of={log}>
        {({ entries, chain, next }) => (
          <>
            <ChainState chain={chain} />
            {entries.length === 0 ? (
              <Empty
                title={words.none}
                action={<Button onPress={() => setWho('', { what: '', before: '' })}>{words.all}</Button>}
              />
            ) : (
              <Entries entries={entries} people={people.data ?? []} />
            )}
            <Row>
              {before !== '' && <Button onPress={() => setBefore('')}>{words.newest}</Button>}
              {next !== null && <Button onPress={() => setBefore(next)}>{words.older}</Button>}
            </Row>
          </>
        )}
      </Shown>
    </Page>
  );
}

function ChainState({ chain }: { chain: Log['chain'] }) {
  if (!chain.ok) {
    return (
      <Notice tone="bad" title={words.chain.broken}>
        <p>{words.chain.brokenAt(chain.brokenAt ?? 0)}</p>
      </Notice>
    );
  }
  const since = chain.since == null ? null : momentText(chain.since);
  return <Notice tone="ok" title={words.chain.ok(chain.rows, since)} />;
}

/** The plain words for what was done. */
function doneText(what: string): string {
  return words.done[what] ?? readable(what, words.words);
}

/** Ids of people are shown as their names, yes and no as words, moments as everywhere. */
function valueText(value: string, people: readonly Person[]): string {
  if (value === 'true') return words.yes;
  if (value === 'false') return words.no;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return momentText(value);
  return people.find(({ userId }) => userId === value)?.name ?? value;
}

function Who({ entry: { userId, who }, people }: { entry: Entry; people: readonly Person[] }) {
  const name = people.find((one) => one.userId === userId)?.name;
  if (name === undefined) return who;
  return (
    <span className={styles.who}>
      {name}
      <span className={styles.muted}>{who}</span>
    </span>
  );
}

function Target({ target, people }: { target: string; people: readonly Person[] }) {
  const name = people.find(({ userId }) => userId === target)?.name;
  return name === undefined ? <code>{target}</code> : <span title={target}>{name}</span>;
}

function Entries({ entries, people }: { entries: readonly Entry[]; people: readonly Person[] }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  function toggle(position: number): void {
    const next = new Set(open);
    if (!next.delete(position)) next.add(position);
    setOpen(next);
  }
  const columns: Column<Entry>[] = [
    { id: 'when', title: words.when, cell: ({ at }) => <Time at={at} /> },
    { id: 'who', title: words.who, cell: (entry) => <Who entry={entry} people={people} /> },
    { id: 'what', title: words.what, cell: ({ what }) => <span title={words.codeOf(what)}>{doneText(what)}</span> },
    { id: 'target', title: words.target, cell: ({ target }) => <Target target={target} people={people} /> },
    { id: 'from', title: words.from, cell: ({ ip }) => (ip === null ? words.nothing : <code>{ip}</code>) },
    {
      id: 'changes',
      title: words.changes,
      cell: (entry) => (
        <Changes entry={entry} people={people} open={open.has(entry.position)} toggle={() => toggle(entry.position)} />
      ),
    },
  ];
  return <Table caption={words.caption} rows={entries} keyOf={({ position }) => String(position)} columns={columns} />;
}

function Changes({
  entry,
  people,
  open,
  toggle,
}: {
  entry: Entry;
  people: readonly Person[];
  open: boolean;
  toggle(): void;
}) {
  const changes = differences(entry.before, entry.after);
  if (changes.length === 0 && entry.requestId === null) return words.nothing;
  return (
    <div className={styles.changes}>
      <Button
        look="quiet"
        aria-expanded={open}
        aria-label={open ? undefined : words.showOf(doneText(entry.what), momentText(entry.at))}
        onPress={toggle}
      >
        {open ? words.hide : words.show}
      </Button>
      {open && (
        <dl className={styles.diff}>
          {changes.map(({ field, before, after }) => (
            <div key={field}>
              <dt title={field}>{fieldText(field)}</dt>
              <dd>
                {before !== null && (
                  <del>
                    <span className="visually-hidden">{words.before} </span>
                    {valueText(before, people)}
                  </del>
                )}
                {after !== null && (
                  <ins>
                    <span className="visually-hidden">{words.after} </span>
                    {valueText(after, people)}
                  </ins>
                )}
              </dd>
            </div>
          ))}
          {entry.requestId !== null && (
            <div>
              <dt>{words.request}</dt>
              <dd>
                <code>{entry.requestId}</code>
                <CopyButton value={entry.requestId} what={words.copyRequest} />
              </dd>
            </div>
          )}
        </dl>
      )}
    </div>
  );
}
