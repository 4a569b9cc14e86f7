/** The columns of the message log, and the person's choice of them on this machine. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Icon } from '../../ui/icons';
import { StatusBadge } from '../../ui/Status';
import type { Column } from '../../ui/Table';
import { Count, Phone, ReasonLink, Time } from '../../ui/Values';
import list from './List.module.css';
import styles from './Messages.module.css';
import { isGroup, type Listed, type ListedRow } from './message-data';

const words = labelsOf('message');

export const allColumns: readonly Column<ListedRow>[] = [
  {
    id: 'time',
    title: words.columns.time,
    cell: ({ messageId, requestId, acceptedAt, ...group }) =>
      isGroup(group) ? (
        <Link to="/requests/$requestId" params={{ requestId }}>
          <Time at={acceptedAt} />
        </Link>
      ) : (
        <Link to="/messages/$messageId" params={{ messageId }}>
          <Time at={acceptedAt} />
        </Link>
      ),
  },
  { id: 'direction', title: words.columns.direction, cell: ({ direction }) => <Direction direction={direction} /> },
  { id: 'from', title: words.columns.from, cell: ({ from }) => <Phone digits={from} /> },
  {
    id: 'to',
    title: words.columns.to,
    cell: ({ to, recipients = 1, refused = 0 }) =>
      isGroup({ recipients, refused }) ? (
        <span className={styles.recipients}>{words.recipients(recipients, refused)}</span>
      ) : (
        <Phone digits={to} />
      ),
  },
  { id: 'text', title: words.columns.text, cell: (row) => <Excerpt {...row} /> },
  { id: 'type', title: words.columns.type, cell: ({ messageType }) => messageType },
  { id: 'parts', title: words.columns.parts, figures: true, cell: ({ segments }) => <Count value={segments} /> },
  { id: 'status', title: words.columns.status, cell: (row) => <Status {...row} /> },
  {
    id: 'reason',
    title: words.columns.reason,
    cell: ({ code, ...group }) => <ReasonLink code={code === 'DELIVERED' || isGroup(group) ? null : code} />,
  },
  {
    id: 'key',
    title: words.columns.key,
    cell: ({ keyName }) => (
      <span className={styles.key} title={keyName ?? undefined}>
        {keyName ?? '—'}
      </span>
    ),
  },
  {
    id: 'reference',
    title: words.columns.reference,
    cell: ({ referenceId, direction }) =>
      direction === 'inbound' ? '—' : <code className={styles.reference}>{referenceId}</code>,
  },
];

const reasonOf = allColumns.find(({ id }) => id === 'reason')!;

/** Without space for its own column, the reason is below the status. */
export function withReasonBelow(columns: typeof allColumns): typeof allColumns {
  return columns.map((column) =>
    column.id !== 'status'
      ? column
      : {
          ...column,
          cell: (row) => (
            <span className={list.withReason}>
              {column.cell(row)}
              {!isGroup(row) && row.code !== null && row.code !== 'DELIVERED' && reasonOf.cell(row)}
            </span>
          ),
        },
  );
}

/** For a request: each status with its count. */
function Status({ state, states, recipients = 1, refused = 0 }: ListedRow) {
  if (!isGroup({ recipients, refused }) || states === undefined) return <StatusBadge state={state} />;
  return (
    <span className={styles.statuses}>
      {states.map((one) => (
        <span key={one.state}>
          {(states.length > 1 || refused > 0) && <Count value={one.count} />} <StatusBadge state={one.state} />
        </span>
      ))}
      {refused > 0 && <span className={styles.muted}>{words.refused(refused)}</span>}
    </span>
  );
}

export function Direction({ direction }: Pick<Listed, 'direction'>) {
  const isSent = direction === 'outbound';
  return (
    <span className={styles.direction}>
      <Icon name={isSent ? 'sending' : 'received'} />
      {isSent ? words.outbound : words.inbound}
    </span>
  );
}

const excerptCharacters = 60;
const pictureName = /\.(?:jpe?g|png|gif|webp|heic|bmp)(?:$|\?)/i;

/** Pictures, by file name; people who may not see names see that there are media. */
export function mediaText({ mediaUrls, mediaUrlsCount }: Pick<Listed, 'mediaUrls' | 'mediaUrlsCount'>): string | null {
  const count = mediaUrlsCount ?? mediaUrls.length;
  if (count === 0) return null;
  return count === mediaUrls.length && mediaUrls.every((url) => pictureName.test(url))
    ? words.media(count)
    : words.attachments(count);
}

function Excerpt(row: Listed) {
  const { text, textLength = 0 } = row;
  const media = mediaText(row);
  if (text === null) {
    // The page says beneath why dots stand for a text.
    const known = textLength > 0 ? words.hidden(textLength) : words.hiddenShort;
    return (
      <span className={styles.excerpt} title={words.hiddenToRole}>
        {media === null ? known : `${media} · ${known}`}
      </span>
    );
  }
  const shown = [...text];
  return (
    <span className={styles.excerpt}>
      {media !== null && <span className={styles.muted}>{media} </span>}
      {shown.length > excerptCharacters ? `${shown.slice(0, excerptCharacters).join('')}…` : text}
    </span>
  );
}

const place = 'helio-message-columns';
/** The default: columns beside which a text fits in two lines. On cards there is space for all. */
const usualFor: readonly (readonly [query: string, columns: readonly string[]])[] = [
  ['(min-width: 601px) and (max-width: 1239px)', ['time', 'from', 'to', 'text', 'status']],
  ['(max-width: 1439px)', ['time', 'direction', 'from', 'to', 'text', 'status', 'reason']],
];
const all = ['time', 'direction', 'from', 'to', 'text', 'type', 'parts', 'status', 'reason'];
const usual = (): string[] => [...(usualFor.find(([query]) => matchMedia(query).matches)?.[1] ?? all)];

interface Layout {
  shown: string[];
  compact: boolean;
}

function readLayout(): Layout {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? '') as Partial<Layout>;
    if (Array.isArray(kept.shown)) return { shown: kept.shown, compact: kept.compact === true };
  } catch {
    // Nothing kept, or nothing that can be read.
  }
  return { shown: usual(), compact: false };
}

export function useColumns() {
  const [layout, setLayout] = useState(readLayout);
  const keep = (next: Layout): void => {
    setLayout(next);
    try {
      localStorage.setItem(place, JSON.stringify(next));
    } catch {
      // Without storage, the default columns are shown the next time.
    }
  };
  return {
    ...layout,
    choose: (id: string, on: boolean) => {
      const shown = on ? [...layout.shown, id] : layout.shown.filter((one) => one !== id);
      if (shown.length > 0) keep({ ...layout, shown });
    },
    setCompact: (compact: boolean) => keep({ ...layout, compact }),
  };
}
