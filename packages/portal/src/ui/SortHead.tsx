/** The head of a column by which the rows of a table can be sorted. */
import type { Column } from './Table';
import styles from './Table.module.css';

const signs = { ascending: ' ↑', descending: ' ↓' };

/** For a column: its head, and whether the rows are sorted by it now. */
export function sortedBy(
  title: string,
  order: NonNullable<Column<never>['sorted']>,
  { isSorted, onSort }: { isSorted: boolean; onSort(): void },
): Pick<Column<never>, 'title' | 'head' | 'sorted'> {
  const head = (
    <button type="button" className={styles.sort} onClick={onSort}>
      {title}
      {isSorted && <span aria-hidden="true">{signs[order]}</span>}
    </button>
  );
  return { title, head, ...(isSorted && { sorted: order }) };
}
