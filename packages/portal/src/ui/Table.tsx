/** Tables: real ones, with a caption; on narrow screens the same rows as cards, in the same order. */
import type { ReactNode } from 'react';
import styles from './Table.module.css';

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
  onOpen,
}: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string;
  compact?: boolean;
  /** What Enter and a click on a row do; a link in the row must do the same. */
  onOpen?(row: T): void;
}) {
  return (
    <div className={styles.scroll}>
      <table className={`${styles.table} ${compact === true ? styles.compact : ''}`}>
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
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
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
          ))}
        </tbody>
      </table>
    </div>
  );
}
