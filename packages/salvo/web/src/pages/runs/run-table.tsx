import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { RunLine } from '../../../../src/app/view/runs/run-line.ts';
import type { SortKey } from '../../../../src/app/view/runs/run-lines.ts';
import type { RunsQuery } from '../../api.ts';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { RunRow } from './run-row.tsx';
import styles from './run-table.module.css';

type Order = Pick<RunsQuery, 'sort' | 'order'>;

const COLUMNS: { name: string; sort?: SortKey; isNumber?: boolean }[] = [
  { name: 'Run', sort: 'created' },
  { name: 'Verdict', sort: 'verdict' },
  { name: 'Scenarios', sort: 'scenario' },
  { name: 'Model', sort: 'model' },
  { name: 'Pass rate', sort: 'pass_rate' },
  { name: 'History' },
  { name: 'Score', sort: 'score', isNumber: true },
  { name: 'Trials', sort: 'trials', isNumber: true },
  { name: 'Cost', sort: 'cost', isNumber: true },
  { name: 'Duration', sort: 'duration', isNumber: true },
];
const ROW_HEIGHT = 57;

interface RunTableProps {
  lines: RunLine[];
  total: number;
  order: Order;
  onOrder: (order: Order) => void;
  onEnd: () => void;
}

/** Only the rows in sight are in the document. `onEnd`: the last of them is in sight. */
export function RunTable({ lines, total, order, onOrder, onEnd }: RunTableProps) {
  const list = useRef<HTMLTableSectionElement>(null);
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => lines[index]?.run_id ?? index,
  });
  const items = virtual.getVirtualItems();
  const isAtEnd = (items.at(-1)?.index ?? 0) >= lines.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  });
  const before = (items[0]?.start ?? 0) - virtual.options.scrollMargin;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? 0) - virtual.options.scrollMargin);
  return (
    <ScrollRegion name="Runs">
      <table className={styles.table} aria-rowcount={total + 1}>
        <thead>
          <tr>
            {COLUMNS.map(({ name, sort, isNumber }) => (
              <th
                key={name}
                scope="col"
                className={isNumber ? 'number' : undefined}
                aria-sort={sort !== undefined && sort === order.sort ? order.order : undefined}
              >
                {sort === undefined ? name : <SortButton name={name} sort={sort} order={order} onOrder={onOrder} />}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={list}>
          <Gap height={before} />
          {items.map(({ index, key }) => {
            const line = lines[index];
            return line && <RunRow key={key} line={line} index={index} measure={virtual.measureElement} />;
          })}
          <Gap height={after} />
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** In place of the rows that are not in sight. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={COLUMNS.length + 1} className={styles.gap} style={{ height }} />
    </tr>
  );
}

interface SortButtonProps {
  name: string;
  sort: SortKey;
  order: Order;
  onOrder: (order: Order) => void;
}

function SortButton({ name, sort, order, onOrder }: SortButtonProps) {
  const isCurrent = order.sort === sort;
  const next = isCurrent && order.order === 'descending' ? 'ascending' : 'descending';
  const sign = isCurrent ? (order.order === 'descending' ? '↓' : '↑') : '';
  return (
    <button type="button" className={styles.sort} onClick={() => onOrder({ sort, order: next })}>
      {name}
      <span aria-hidden="true" className={styles.sign}>
        {sign}
      </span>
    </button>
  );
}
