import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import type { TrialStatus } from '../../../../src/evaluators/eval-result.ts';
import { firstIn, type GridPlace, placeAfter } from './grid-moves.ts';
import { ScenarioHead, TrialsRow } from './grid-row.tsx';
import type { GridRow } from './grid-rows.ts';
import styles from './outcome-grid.module.css';

const [SCENARIO_HEIGHT, CASE_HEIGHT] = [58, 31];

interface GridTableProps {
  rows: GridRow[];
  view: RunView;
  chosen: ReadonlySet<TrialStatus>;
}

/** The rows in sight. One trial at a time can be reached by Tab, and the others by the arrow keys from there. */
export function GridTable({ rows, view, chosen }: GridTableProps) {
  const list = useRef<HTMLTableElement>(null);
  const [asked, setAsked] = useState<GridPlace | null>(null);
  const isThere = rows.some(({ key }) => key === asked?.row);
  const current = isThere ? asked : firstIn(rows);
  const currentRow = rows.findIndex(({ key }) => key === current?.row);
  const mostAssertions = rows.reduce((most, { assertions }) => Math.max(most, assertions.length), 0);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.kind === 'scenario' ? SCENARIO_HEIGHT : CASE_HEIGHT),
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => rows[index]?.key ?? index,
    // The row with the focus stays in the document, wherever the page is scrolled to.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return currentRow < 0 || shown.includes(currentRow) ? shown : [...shown, currentRow].sort((a, b) => a - b);
    },
  });
  const move = useRef(false);
  useEffect(() => {
    if (!move.current || current === null) return;
    move.current = false;
    const link = list.current?.querySelector<HTMLElement>(`[data-place="${current.row} ${current.number}"]`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || current === null) return;
    const next = placeAfter(rows, current, event.key);
    if (next === null) return;
    event.preventDefault();
    move.current = true;
    setAsked(next);
  };
  return (
    <div className={styles.scroll}>
      <table
        aria-label="Trials by case"
        aria-rowcount={rows.length}
        className={styles.grid}
        style={{ minWidth: `${21 + mostAssertions * 4.5}rem` }}
        ref={list}
        onKeyDown={onKeyDown}
      >
        <tbody className={styles.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <tr
                key={key}
                aria-rowindex={index + 1}
                ref={virtual.measureElement}
                data-index={index}
                className={`${styles.item} ${row.kind === 'scenario' ? styles.scenario : ''}`}
                style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
              >
                {row.kind === 'scenario' ? (
                  <ScenarioHead row={row} isRunning={view.is_running} />
                ) : (
                  <TrialsRow
                    runId={view.run_id}
                    row={row}
                    current={current?.row === row.key ? current.number : null}
                    chosen={chosen}
                    onFocus={(number) => setAsked({ row: row.key, number })}
                  />
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
