/**
 * Tables: semantic ones, with a caption; on narrow screens the same rows as cards in the same order, or in two lines.
 */
import { Fragment, type MouseEvent, type ReactNode } from 'react';
import { useNarrow } from './narrow';
import styles from './Table.module.css';

/** More columns than this do not fit a tablet. */
const manyColumns = 7;

export interface Column<T> {
  id: string;
  title: string;
  /** Right-aligned figures. */
  figures?: boolean;
  /** Takes the remaining width, in one line. */
  grow?: boolean;
  /** Its position in a two-line row on a telephone; a column without one is not shown there. */
  place?: 'lead' | 'lead-end' | 'sub' | 'sub-end';
  /** Replaces the title in its head: a button that sorts by it (`SortHead.tsx`). */
  head?: ReactNode;
  /** The rows are sorted by it. */
  sorted?: 'ascending' | 'descending';
  cell(row: T): ReactNode;
}

function lookOf({ figures, grow }: { figures?: boolean; grow?: boolean }): string | undefined {
  return figures === true ? styles.figures : grow === true ? styles.grow : undefined;
}

/** Other clicks keep the browser's behaviour, such as opening a tab. */
function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
  cardsBelow = columns.length < manyColumns ? 600 : 900,
  onOpen,
  holdsLink,
  current,
  beneath,
}: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string;
  /** Width in pixels below which rows are cards; default: by the number of columns. */
  cardsBelow?: 600 | 900;
  /** The action of Enter and a click on a row; a link in the row must do the same. */
  onOpen?(row: T): void;
  /** Whether a plain click on the row's own link (`data-opens`) counts as one on the row. */
  holdsLink?(row: T): boolean;
  /** Key of the row that is shown beside the table. */
  current?: string;
  /** More about a row, across the whole width below it; null: nothing now. */
  beneath?(row: T): ReactNode;
}) {
  const inLines = columns.some(({ place }) => place !== undefined);
  const isNarrow = useNarrow(`(max-width: ${inLines ? 600 : cardsBelow}px)`);
  const narrow = !isNarrow ? '' : inLines ? styles.lines : styles.cards;
  const looks = columns.map((column) => lookOf(column));
  return (
    <div className={`${styles.scroll} ${narrow}`}>
      <table className={`${styles.table} ${columns.length < manyColumns ? '' : styles.many}`}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ id, title, head, sorted }, i) => (
              <th key={id} scope="col" className={looks[i]} aria-sort={sorted}>
                {head ?? title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const more = beneath?.(row) ?? null;
            return (
              <Fragment key={keyOf(row)}>
                <tr
                  aria-current={current !== undefined && keyOf(row) === current ? true : undefined}
                  className={onOpen === undefined ? undefined : styles.opens}
                  onClickCapture={
                    onOpen === undefined || holdsLink === undefined
                      ? undefined
                      : (event) => {
                          const own = (event.target as Element).closest('a[data-opens]');
                          if (own === null || !isPlain(event) || !holdsLink(row)) return;
                          event.preventDefault();
                          event.stopPropagation();
                          onOpen(row);
                        }
                  }
                  onClick={
                    onOpen === undefined
                      ? undefined
                      : (event) => {
                          const inControl = (event.target as Element).closest('a, button, input, label');
                          if (inControl === null && getSelection()?.isCollapsed !== false) onOpen(row);
                        }
                  }
                >
                  {columns.map(({ id, title, place, cell }, i) => (
                    <td key={id} data-title={title} data-place={place} className={looks[i]}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
                {more !== null && (
                  <tr className={styles.more}>
                    <td colSpan={columns.length}>{more}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
