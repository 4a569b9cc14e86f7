/** Tables: real ones, with a caption; on narrow screens the same rows as cards, in the same order. */
import { Fragment, type ReactNode } from 'react';
import { useNarrow } from './narrow';
import styles from './Table.module.css';

/** More columns than this do not fit a tablet. */
const manyColumns = 7;

export interface Column<T> {
  id: string;
  title: string;
  /** Right-aligned figures. */
  figures?: boolean;
  cell(row: T): ReactNode;
}

export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
  compact,
  cardsBelow = columns.length < manyColumns ? 600 : 900,
  onOpen,
  current,
  beneath,
}: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string;
  compact?: boolean;
  /** Width in pixels below which rows are cards; default: by the number of columns. */
  cardsBelow?: 600 | 900;
  /** The action of Enter and a click on a row; a link in the row must do the same. */
  onOpen?(row: T): void;
  /** Key of the row that is shown beside the table. */
  current?: string;
  /** More about a row, over the whole width below it; null: nothing now. */
  beneath?(row: T): ReactNode;
}) {
  const cards = useNarrow(`(max-width: ${cardsBelow}px)`);
  return (
    <div className={`${styles.scroll} ${cards ? styles.cards : ''}`}>
      <table
        className={`${styles.table} ${compact === true ? styles.compact : ''} ${columns.length < manyColumns ? '' : styles.many}`}
      >
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ id, title, figures }) => (
              <th key={id} scope="col" className={figures === true ? styles.figures : undefined}>
                {title}
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
                  onClick={
                    onOpen === undefined
                      ? undefined
                      : (event) => {
                          const inControl = (event.target as Element).closest('a, button, input, label');
                          if (inControl === null && getSelection()?.isCollapsed !== false) onOpen(row);
                        }
                  }
                >
                  {columns.map(({ id, title, figures, cell }) => (
                    <td key={id} data-title={title} className={figures === true ? styles.figures : undefined}>
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
