/** The columns of the message log, and which of them somebody wants to see on this machine. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../../ui/icons';
import { StatusBadge } from '../../ui/Status';
import type { Column } from '../../ui/Table';
import { Count, Phone, ReasonLink, Time } from '../../ui/Values';
import { messageWords as words } from '../../words/en/messages';
import styles from './Messages.module.css';
import type { Listed } from './message-data';

export const allColumns: readonly Column<Listed>[] = [
  {
    id: 'time',
    title: words.columns.time,
    cell: ({ messageId, acceptedAt }) => (
      <Link to="/messages/$messageId" params={{ messageId }}>
        <Time at={acceptedAt} />
      </Link>
    ),
  },
  { id: 'direction', title: words.columns.direction, cell: ({ direction }) => <Direction direction={direction} /> },
  { id: 'from', title: words.columns.from, cell: ({ from }) => <Phone digits={from} /> },
  { id: 'to', title: words.columns.to, cell: ({ to }) => <Phone digits={to} /> },
  { id: 'text', title: words.columns.text, cell: (row) => <Excerpt {...row} /> },
  { id: 'type', title: words.columns.type, cell: ({ messageType }) => messageType },
  { id: 'parts', title: words.columns.parts, figures: true, cell: ({ segments }) => <Count value={segments} /> },
  { id: 'status', title: words.columns.status, cell: ({ state }) => <StatusBadge state={state} /> },
  {
    id: 'reason',
    title: words.columns.reason,
    cell: ({ code }) => <ReasonLink code={code === 'DELIVERED' ? null : code} />,
  },
  { id: 'key', title: words.columns.key, cell: ({ keyName }) => keyName ?? '—' },
  {
    id: 'reference',
    title: words.columns.reference,
    cell: ({ referenceId, direction }) =>
      direction === 'inbound' ? '—' : <code className={styles.reference}>{referenceId}</code>,
  },
];

export function Direction({ direction }: Pick<Listed, 'direction'>) {
  const isSent = direction === 'outbound';
  return (
    <span className={styles.direction}>
      <Icon name={isSent ? 'sending' : 'received'} />
      {isSent ? words.sent : words.received}
    </span>
  );
}

const excerptCharacters = 60;

function Excerpt({ text, textLength, mediaUrls, mediaUrlsCount }: Listed) {
  const media = mediaUrlsCount ?? mediaUrls.length;
  const shown = text === null ? words.hidden(textLength ?? 0) : text;
  return (
    <span className={styles.excerpt}>
      {[...shown].length > excerptCharacters ? `${[...shown].slice(0, excerptCharacters).join('')}…` : shown}
      {media > 0 && <span className={styles.muted}> {words.media(media)}</span>}
    </span>
  );
}

const place = 'helio-message-columns';
const usual = ['time', 'direction', 'from', 'to', 'text', 'type', 'parts', 'status', 'reason'];

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
  return { shown: usual, compact: false };
}

export function useColumns() {
  const [layout, setLayout] = useState(readLayout);
  const keep = (next: Layout): void => {
    setLayout(next);
    try {
      localStorage.setItem(place, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing shows the usual ones the next time.
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
