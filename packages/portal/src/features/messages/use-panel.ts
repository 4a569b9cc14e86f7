/** The message open beside the list: named by the URL, moved by keys, without scrolling the list. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { rowMoved } from '../../frame/keyboard';
import { useCameFrom } from '../../ui/came-from';
import { useNarrow } from '../../ui/narrow';
import type { Column } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { isGroup, type ListedRow } from './message-data';

/** Columns that stay beside an open panel, and on a tablet. */
const few = ['time', 'peer', 'to', 'text', 'status'];

/** The message shown beside the list, from the URL; without room for both, its page opens. */
export function usePanel() {
  const [param] = useUrlText('open');
  const isNarrow = useNarrow('(max-width: 1279px)');
  const isTight = useNarrow('(max-width: 1679px)');
  // Between a telephone and a desktop there is room for these as a table.
  const isTablet = useNarrow('(min-width: 601px) and (max-width: 900px)');
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const linkTo = (path: string) =>
    list.current?.querySelector<HTMLElement>(`tbody a[href$="${CSS.escape(path)}"]`) ?? null;
  const linkOf = (messageId: string) => linkTo(`/messages/${messageId}`);
  const [byHand, setByHand] = useState(false);
  const open = isNarrow ? '' : param;
  const cameFrom = useCameFrom(/^\/(?:messages|requests)\/[^/]+$/, (path) => (open === '' ? linkTo(path) : null));
  // Only where the address was opened: a window that is made narrow hides the panel, and has it back when it is wide.
  // biome-ignore lint/correctness/useExhaustiveDependencies: said above.
  useEffect(() => {
    if (!isNarrow || param === '') return;
    void navigate({ to: '/messages/$messageId', params: { messageId: param }, replace: true });
  }, []);
  /** The list keeps its position: neither the router nor the focus scrolls it. */
  const turnTo = (messageId: string, replace = false): void => {
    const { pathname, search } = location;
    const values = new URLSearchParams(search);
    if (messageId === '') values.delete('open');
    else values.set('open', messageId);
    void navigate({ href: `${pathname}?${values}`, replace, resetScroll: false });
  };
  const follow = useRef((_row: Element): void => {});
  follow.current = (row) => {
    const path = row.querySelector('a[data-opens]')?.getAttribute('href') ?? '';
    const messageId = /\/messages\/(msg_[0-9A-Z]+)$/.exec(path)?.[1];
    if (open !== '' && messageId !== undefined && messageId !== open) turnTo(messageId, true);
  };
  // An open panel shows the row that a key moved to.
  useEffect(() => {
    const moved = ({ target }: Event): void => {
      const row = (target as Element).closest('tbody tr');
      if (row !== null && list.current?.contains(row) === true) follow.current(row);
    };
    addEventListener(rowMoved, moved);
    return () => removeEventListener(rowMoved, moved);
  }, []);
  return {
    open,
    list,
    /** The row whose page was just left, until a message is opened beside the list. */
    returnedTo: (rows: readonly ListedRow[]): string | undefined =>
      byHand ? undefined : rows.find((row) => cameFrom === pathOf(row))?.messageId,
    /** Columns for which there is room; all of them if none would be left. */
    fitting: (columns: readonly Column<ListedRow>[]): readonly Column<ListedRow>[] => {
      if (!isTablet && (open === '' || !isTight)) return columns;
      const left = columns.filter(({ id }) => few.includes(id));
      return left.length === 0 ? columns : left;
    },
    /** Whether the row's link shows it beside the list; a second time it opens the page. */
    opensBeside: ({ messageId, ...group }: ListedRow): boolean => !isNarrow && !isGroup(group) && messageId !== open,
    show: ({ messageId, requestId, ...group }: ListedRow): void => {
      if (isGroup(group)) return void navigate({ to: '/requests/$requestId', params: { requestId } });
      setByHand(true);
      if (isNarrow) return void navigate({ to: '/messages/$messageId', params: { messageId } });
      linkOf(messageId)?.focus({ preventScroll: true });
      if (messageId !== param) turnTo(messageId);
    },
    close: (): void => {
      turnTo('');
      linkOf(open)?.focus({ preventScroll: true });
    },
  };
}

function pathOf({ messageId, requestId, ...group }: ListedRow): string {
  return isGroup(group) ? `/requests/${requestId}` : `/messages/${messageId}`;
}
