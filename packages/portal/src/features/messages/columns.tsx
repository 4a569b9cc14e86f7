/** The columns of the message log, and the person's choice in this browser. */
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

const labels = labelsOf('message');

export const allColumns: readonly Column<ListedRow>[] = [
  {
    id: 'time',
    title: labels.columns.time,
    place: 'lead-end',
    cell: ({ messageId, requestId, acceptedAt, ...group }) =>
      isGroup(group) ? (
        <Link to="/requests/$requestId" params={{ requestId }} data-opens>
          <Time at={acceptedAt} form="row" />
        </Link>
      ) : (
        <Link to="/messages/$messageId" params={{ messageId }} data-opens>
          <Time at={acceptedAt} form="row" />
        </Link>
      ),
  },
  { id: 'direction', title: labels.columns.direction, cell: ({ direction }) => <Direction direction={direction} /> },
  { id: 'own', title: labels.columns.own, cell: (row) => <Phone digits={ownOf(row)} /> },
  { id: 'peer', title: labels.columns.peer, place: 'lead', cell: (row) => <Peer {...row} /> },
  { id: 'from', title: labels.columns.from, cell: ({ from }) => <Phone digits={from} /> },
  {
    id: 'to',
    title: labels.columns.to,
    cell: ({ to, recipients = 1, refused = 0 }) =>
      isGroup({ recipients, refused }) ? (
        <span className={styles.recipients}>{labels.recipients(recipients, refused)}</span>
      ) : (
        <Phone digits={to} />
      ),
  },
  { id: 'text', title: labels.columns.text, grow: true, place: 'sub', cell: (row) => <Excerpt {...row} /> },
  { id: 'type', title: labels.columns.type, cell: ({ messageType }) => messageType },
  { id: 'parts', title: labels.columns.parts, figures: true, cell: ({ segments }) => <Count value={segments} /> },
  { id: 'status', title: labels.columns.status, place: 'sub-end', cell: (row) => <Status {...row} /> },
  {
    id: 'reason',
    title: labels.columns.reason,
    cell: ({ code, ...group }) => <ReasonLink code={code === 'DELIVERED' || isGroup(group) ? null : code} />,
  },
  {
    id: 'key',
    title: labels.columns.key,
    cell: ({ keyName }) => (
      <span className={styles.key} title={keyName ?? undefined}>
        {keyName ?? '—'}
      </span>
    ),
  },
  {
    id: 'reference',
    title: labels.columns.reference,
    cell: ({ referenceId, direction }) =>
      direction === 'inbound' ? '—' : <code className={styles.reference}>{referenceId}</code>,
  },
];

const reasonOf = allColumns.find(({ id }) => id === 'reason')!;

/** Without a column of its own, the reason stands beside the status. */
function withReason(columns: typeof allColumns): typeof allColumns {
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

/** The company's own side of a message, which gets a column when several numbers are shown. */
export function ownOf({ direction, from, to }: Pick<Listed, 'direction' | 'from' | 'to'>): string {
  return direction === 'outbound' ? from : to;
}

/** The other side, and the direction. */
function Peer({ direction, from, to, recipients = 1, refused = 0 }: ListedRow) {
  return (
    <span className={styles.direction}>
      <span className={list.arrow} title={direction === 'outbound' ? labels.outbound : labels.inbound}>
        <Icon name={direction === 'outbound' ? 'sending' : 'received'} />
        <span className="visually-hidden">{direction === 'outbound' ? labels.outbound : labels.inbound}</span>
      </span>
      {isGroup({ recipients, refused }) ? (
        <span className={styles.recipients}>{labels.recipients(recipients, refused)}</span>
      ) : (
        <Phone digits={direction === 'outbound' ? to : from} />
      )}
    </span>
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
      {refused > 0 && <span className={styles.muted}>{labels.refused(refused)}</span>}
    </span>
  );
}

export function Direction({ direction }: Pick<Listed, 'direction'>) {
  const isSent = direction === 'outbound';
  return (
    <span className={styles.direction}>
      <Icon name={isSent ? 'sending' : 'received'} />
      {isSent ? labels.outbound : labels.inbound}
    </span>
  );
}

/** More than one line on the widest screen. */
const excerptCharacters = 300;
const pictureName = /\.(?:jpe?g|png|gif|webp|heic|bmp)(?:$|\?)/i;

/** Pictures, by file name; people who may not see names see only that there are media. */
export function mediaText({ mediaUrls, mediaUrlsCount }: Pick<Listed, 'mediaUrls' | 'mediaUrlsCount'>): string | null {
  const count = mediaUrlsCount ?? mediaUrls.length;
  if (count === 0) return null;
  return count === mediaUrls.length && mediaUrls.every((url) => pictureName.test(url))
    ? labels.media(count)
    : labels.attachments(count);
}

function Excerpt(row: Listed) {
  const { text, textLength = 0 } = row;
  const media = mediaText(row);
  if (text === null) {
    // A note below the list explains why dots replace a text.
    const known = textLength > 0 ? labels.hidden(textLength) : labels.hiddenShort;
    return <span title={labels.hiddenToRole}>{media === null ? known : `${media} · ${known}`}</span>;
  }
  const shown = [...text];
  return (
    <span>
      {media !== null && <span className={styles.muted}>{media} </span>}
      {shown.length > excerptCharacters ? `${shown.slice(0, excerptCharacters).join('')}…` : text}
    </span>
  );
}

const storedName = 'helio-message-columns';
/** One line for each on a screen of 1280 px, most of it for the text. */
const usual = ['time', 'peer', 'text', 'status'];
/** Added if there is more room. */
const roomy = ['type', 'parts'];

interface Layout {
  shown: string[];
  /** Chosen by the person. */
  isOwn: boolean;
}

function readLayout(): Layout {
  try {
    const kept = JSON.parse(localStorage.getItem(storedName) ?? '') as { shown?: unknown };
    if (Array.isArray(kept.shown)) return { shown: kept.shown, isOwn: true };
  } catch {
    // Nothing stored, or unreadable.
  }
  return { shown: matchMedia('(min-width: 1600px)').matches ? [...usual, ...roomy] : usual, isOwn: false };
}

export function useColumns() {
  const [layout, setLayout] = useState(readLayout);
  const keep = (shown: string[]): void => {
    setLayout({ shown, isOwn: true });
    try {
      localStorage.setItem(storedName, JSON.stringify({ shown }));
    } catch {
      // Without storage, the default columns are shown the next time.
    }
  };
  return {
    ...layout,
    /** For these rows: unless the person chose, the own number is shown only when the rows differ in it. */
    of: (rows: readonly ListedRow[]): readonly Column<ListedRow>[] => {
      const addsOwn = !layout.isOwn && new Set(rows.map(ownOf)).size > 1;
      const shown = allColumns.filter(({ id }) => layout.shown.includes(id) || (addsOwn && id === 'own'));
      return shown.some(({ id }) => id === 'reason') ? shown : withReason(shown);
    },
    choose: (id: string, on: boolean) => {
      const shown = on ? [...layout.shown, id] : layout.shown.filter((one) => one !== id);
      if (shown.length > 0) keep(shown);
    },
  };
}
