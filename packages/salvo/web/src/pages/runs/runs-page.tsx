import { useState } from 'react';
import { parseRunFilter } from '../../../../src/app/view/runs/run-filter.ts';
import { formatPlural } from '../../../../src/stats/format.ts';
import type { UnreadableRun } from '../../../../src/store/store.ts';
import { type RunsQuery, useRuns } from '../../api.ts';
import { formatTime } from '../../format-time.ts';
import { usePageTitle } from '../../use-page-title.ts';
import { DeleteButton } from './delete-button.tsx';
import { FilterField } from './filter-field.tsx';
import { RunTable } from './run-table.tsx';
import styles from './runs-page.module.css';

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
        <span role="status" className={styles.count}>
          {runs.isSuccess ? formatPlural(total, 'run') : ''}
        </span>
      </div>
      <UnreadableRuns runs={runs.data?.pages[0]?.unreadable ?? []} />
      {runs.isPending && <p>Loading…</p>}
      {runs.isSuccess && total === 0 && (filter === '' ? <NoRuns /> : <p>No run fits this filter.</p>)}
      {lines.length > 0 && (
        <RunTable
          lines={lines}
          total={total}
          order={order}
          onOrder={setOrder}
          onEnd={() => {
            if (runs.hasNextPage && !runs.isFetching) void runs.fetchNextPage();
          }}
        />
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

function NoRuns() {
  return (
    <p>
      Nothing is stored yet. <code>salvo run</code> runs the scenarios of this project; its results appear here.
    </p>
  );
}

/** A line for each run that is in no table because its documents can't be read. */
function UnreadableRuns({ runs }: { runs: readonly UnreadableRun[] }) {
  if (runs.length === 0) return null;
  return (
    <section aria-label="Runs that can't be read">
      <p>
        {runs.length === 1 ? 'A run' : `${runs.length} runs`} can't be read. <code>salvo export ID --raw</code> writes
        what is stored.
      </p>
      <ul>
        {runs.map(({ run_id, created_at, salvo_version, why }) => (
          <li key={run_id}>
            {run_id.slice(0, 10)} of {formatTime(created_at)}, written by Salvo {salvo_version}: {why}{' '}
            <DeleteButton runId={run_id} isRunning={false} />
          </li>
        ))}
      </ul>
    </section>
  );
}
