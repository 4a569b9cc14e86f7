/** What people changed of carriers, out of the audit log. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { Empty, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Time } from '../../ui/Values';
import { carrierWords } from '../../words/en/carriers';
import styles from './Carriers.module.css';

interface AuditEntry {
  position: number;
  at: string;
  who: string;
  what: string;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

const words = carrierWords.changes;

export function Changes({ of }: { of?: string }) {
  return useMay('readAudit') ? <Entries of={of} /> : <Notice tone="info" title={words.noAudit} />;
}

function Entries({ of }: { of?: string }) {
  const changes = useQuery({
    queryKey: ['carriers', 'changes'],
    queryFn: async () => (await api.get<{ entries: AuditEntry[] }>('/audit?what=carrier&limit=100')).data.entries,
  });
  return (
    <Shown of={changes}>
      {(entries) => {
        const shown = entries.filter(({ target }) => of === undefined || target === of);
        if (shown.length === 0) return <Empty title={words.empty} />;
        return (
          <Table
            caption={words.caption}
            rows={shown}
            keyOf={({ position }) => String(position)}
            columns={[
              { id: 'at', title: words.columns.at, cell: ({ at }) => <Time at={at} /> },
              { id: 'who', title: words.columns.who, cell: ({ who }) => who },
              { id: 'what', title: words.columns.what, cell: ({ what }) => what },
              { id: 'target', title: words.columns.target, cell: ({ target }) => target },
              {
                id: 'fields',
                title: words.columns.fields,
                cell: (entry) => <span className={styles.raw}>{differenceText(entry)}</span>,
              },
            ]}
          />
        );
      }}
    </Shown>
  );
}

function differenceText({ before, after }: AuditEntry): string {
  if (before === null) return '';
  return Object.entries(after ?? {})
    .map(([name, value]) => `${name}: ${text(before[name])} → ${text(value)}`)
    .join(', ');
}

function text(value: unknown): string {
  return value === undefined || value === null
    ? '—'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}
