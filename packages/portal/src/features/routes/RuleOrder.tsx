/** The order of rules: dragged by a handle, or moved by buttons; only among rules that are ordered by priority. */
import { type DragEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Row } from '../../ui/Page';
import { type DropSide, isRival } from './list';
import styles from './Routes.module.css';
import type { Rule } from './routes';
import type { Move } from './use-draft';

const labels = labelsOf('route');

type Mover = (move: Move) => void;

/** Around the table of these rules, with the rows in their order. */
export function DragArea({ rules, move, children }: { rules: readonly Rule[]; move: Mover; children: ReactNode }) {
  const marked = useRef<HTMLElement | null>(null);
  const dragged = useRef<Rule | null>(null);
  const mark = (row: HTMLElement | null, side?: DropSide) => {
    if (marked.current !== row) delete marked.current?.dataset.drop;
    if (row !== null && side !== undefined) row.dataset.drop = side;
    marked.current = row;
  };
  const targetOf = (event: DragEvent): { row: HTMLElement; rule: Rule; side: DropSide } | null => {
    const row = (event.target as Element).closest<HTMLTableRowElement>('tbody tr');
    const rule = row === null ? undefined : rules[row.sectionRowIndex];
    if (row === null || rule === undefined || dragged.current === null || !isRival(rule, dragged.current)) return null;
    const { top, height } = row.getBoundingClientRect();
    return { row, rule, side: event.clientY < top + height / 2 ? 'before' : 'behind' };
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is for pointers; each row has buttons for the same
    <div
      className={styles.dragArea}
      onDragStart={(event) => {
        const row = (event.target as Element).closest<HTMLTableRowElement>('tbody tr');
        dragged.current = row === null ? null : (rules[row.sectionRowIndex] ?? null);
        if (row === null || dragged.current === null) return;
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', dragged.current.routeId);
        event.dataTransfer.setDragImage(row, 16, 16);
      }}
      onDragOver={(event) => {
        const target = targetOf(event);
        mark(target?.row ?? null, target?.side);
        if (target !== null) event.preventDefault();
      }}
      onDragEnd={() => {
        mark(null);
        dragged.current = null;
      }}
      onDrop={(event) => {
        const target = targetOf(event);
        mark(null);
        if (target === null || dragged.current === null) return;
        event.preventDefault();
        move({ routeId: dragged.current.routeId, side: target.side, besideId: target.rule.routeId });
      }}
    >
      {children}
    </div>
  );
}

export function RulePlace({ of, move }: { of: Rule; move: Mover }) {
  const { routeId, moves, priority, weight } = of;
  const isFixed = !moves.up && !moves.down;
  return (
    <div className={styles.cell}>
      <span className={styles.whole}>{labels.place(priority, weight)}</span>
      {isFixed ? (
        <span className={styles.muted}>{labels.fixedPlace}</span>
      ) : (
        <Row>
          <span className={styles.handle} draggable title={labels.dragHelp} aria-hidden="true">
            ⠿
          </span>
          {(['up', 'down'] as const).map(
            (way) =>
              moves[way] && (
                <Button
                  key={way}
                  look="quiet"
                  aria-label={labels[way](routeId)}
                  data-mover={routeId}
                  onPress={() => move({ routeId, way })}
                >
                  {way === 'up' ? '↑' : '↓'}
                </Button>
              ),
          )}
        </Row>
      )}
    </div>
  );
}

/** If the pressed button disappears with the move, the focus goes to the rule's other button. */
export function useFocusAfter(move: { routeId: string } | null): void {
  // Together with the reordered rows; a frame earlier or later, they might not be in place.
  useLayoutEffect(() => {
    if (move === null || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`[data-mover="${CSS.escape(move.routeId)}"]`)?.focus();
  }, [move]);
}
