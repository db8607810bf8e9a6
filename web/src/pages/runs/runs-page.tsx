import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { parseRunFilter } from '../../../../src/app/view/run-filter.ts';
import type { RunLine, SortKey } from '../../../../src/app/view/run-lines.ts';
import { type RunsQuery, useRuns } from '../../api.ts';
import { formatDuration, formatMoney, formatTime } from '../../format.ts';
import { RateBar } from '../../parts/rate-bar.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { SparkLine } from '../../parts/spark-line.tsx';
import { VerdictBadge } from '../../parts/verdict-badge.tsx';
import { useKey } from '../../use-key.ts';
import { usePageTitle } from '../../use-page-title.ts';
import styles from './runs-page.module.css';

const TYPING_PAUSE_MS = 250;

/** The filter is part of the address, so that it can be passed on. */
export function RunsPage({ filter: asked }: { filter: string }) {
  usePageTitle('Runs');
  const problem = problemIn(asked);
  const filter = problem === null ? asked : '';
  const [order, setOrder] = useState<Pick<RunsQuery, 'sort' | 'order'>>({ sort: 'created', order: 'descending' });
  const runs = useRuns({ filter, ...order });
  const lines = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const total = runs.data?.pages[0]?.total ?? 0;
  return (
    <>
      <div className={styles.head}>
        <h1>Runs</h1>
        <FilterField filter={asked} problem={problem ?? runs.error?.message ?? null} />
        <span role="status">{runs.isSuccess ? `${total} ${total === 1 ? 'run' : 'runs'}` : ''}</span>
      </div>
      {runs.isPending && <p>Loading…</p>}
      {runs.isSuccess && total === 0 && (filter === '' ? <NoRuns /> : <p>No run fits this filter.</p>)}
      {lines.length > 0 && <RunTable lines={lines} order={order} onOrder={setOrder} />}
      {runs.hasNextPage && (
        <button type="button" className={styles.more} onClick={() => void runs.fetchNextPage()}>
          Show more
        </button>
      )}
    </>
  );
}

/** What is wrong with a filter; null if nothing is. */
function problemIn(filter: string): string | null {
  try {
    parseRunFilter(filter);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function FilterField({ filter, problem }: { filter: string; problem: string | null }) {
  const [text, setText] = useState(filter);
  const [, navigate] = useLocation();
  const field = useRef<HTMLInputElement>(null);
  useKey('/', () => field.current?.focus());
  useEffect(() => {
    if (text === filter) return;
    const timer = setTimeout(
      () => navigate(text === '' ? '/runs' : `/runs/where/${encodeURIComponent(text)}`, { replace: true }),
      TYPING_PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [text, filter, navigate]);
  return (
    <div className={styles.filter}>
      <input
        ref={field}
        type="search"
        aria-label="Filter"
        aria-describedby="filter-error"
        aria-invalid={problem !== null}
        placeholder="verdict = fail and model ~ gpt and cost > 0.1"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div id="filter-error" role="alert" className={styles.error}>
        {problem}
      </div>
    </div>
  );
}

function NoRuns() {
  return (
    <p>
      Nothing is stored yet. <code>salvo run</code> runs the scenarios of this project; its results appear here.
    </p>
  );
}

const COLUMNS: { name: string; sort?: SortKey; isNumber?: boolean }[] = [
  { name: 'Run', sort: 'created' },
  { name: 'Verdict', sort: 'verdict' },
  { name: 'Scenarios' },
  { name: 'Model' },
  { name: 'Pass rate', sort: 'pass_rate' },
  { name: 'History' },
  { name: 'Trials', sort: 'trials', isNumber: true },
  { name: 'Cost', sort: 'cost', isNumber: true },
  { name: 'Duration', sort: 'duration', isNumber: true },
];

type Order = Pick<RunsQuery, 'sort' | 'order'>;

function RunTable({ lines, order, onOrder }: { lines: RunLine[]; order: Order; onOrder: (order: Order) => void }) {
  return (
    <ScrollRegion name="Runs">
      <table className={styles.table}>
        <thead>
          <tr>
            {COLUMNS.map(({ name, sort, isNumber }) => (
              <th
                key={name}
                scope="col"
                className={isNumber ? styles.number : undefined}
                aria-sort={sort !== undefined && sort === order.sort ? order.order : undefined}
              >
                {sort === undefined ? name : <SortButton name={name} sort={sort} order={order} onOrder={onOrder} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <RunRow key={line.run_id} line={line} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function SortButton({
  name,
  sort,
  order,
  onOrder,
}: {
  name: string;
  sort: SortKey;
  order: Order;
  onOrder: (order: Order) => void;
}) {
  const isCurrent = order.sort === sort;
  const next = isCurrent && order.order === 'descending' ? 'ascending' : 'descending';
  return (
    <button type="button" className={styles.sort} onClick={() => onOrder({ sort, order: next })}>
      {name}
      <span aria-hidden="true">{isCurrent ? (order.order === 'descending' ? ' ↓' : ' ↑') : ''}</span>
    </button>
  );
}

const MOST_NAMES = 3;

function RunRow({ line }: { line: RunLine }) {
  const names = [...new Set(line.scenarios.map(({ name }) => name))];
  const models = [...new Set(line.scenarios.map(({ model }) => model))];
  return (
    <tr>
      <td>
        <Link href={`/runs/${line.run_id}`} className={styles.run}>
          {line.run_id.slice(0, 10)}
        </Link>
        <div className={styles.time}>{formatTime(line.created_at)}</div>
      </td>
      <td>
        <VerdictBadge verdict={line.verdict} />
      </td>
      <td title={names.join(', ')}>
        {names.slice(0, MOST_NAMES).join(', ')}
        {names.length > MOST_NAMES && ` and ${names.length - MOST_NAMES} more`}
      </td>
      <td title={models.join(', ')}>
        {models.slice(0, MOST_NAMES).join(', ')}
        {models.length > MOST_NAMES && ` and ${models.length - MOST_NAMES} more`}
      </td>
      <td>
        <RateBar rate={line.pass_rate} interval={line.pass_rate_ci} />
      </td>
      <td>
        <SparkLine shares={line.trend} />
      </td>
      <td className={styles.number}>{line.trials}</td>
      <td className={styles.number}>{formatMoney(line.cost_usd)}</td>
      <td className={styles.number}>{formatDuration(line.duration_seconds)}</td>
    </tr>
  );
}
