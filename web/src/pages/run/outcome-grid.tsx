import { useMemo, useState } from 'react';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import type { TrialStatus } from '../../../../src/evaluators/trial-status.ts';
import type { TrialOutcome } from '../../../../src/run/record/run-record.ts';
import { OutcomeFilter } from '../../parts/outcome-cell.tsx';
import { type CaseOrder, gridRows } from './grid-rows.ts';
import { GridTable } from './grid-table.tsx';
import styles from './outcome-grid.module.css';

/** Every trial of the run as a cell, a row per case, and a column per assertion with its mean. */
export function OutcomeGrid({ view, outcomes }: { view: RunView; outcomes: TrialOutcome[] }) {
  const [order, setOrder] = useState<CaseOrder>('file');
  const [statuses, setStatuses] = useState<ReadonlySet<TrialStatus>>(new Set());
  const rows = useMemo(() => gridRows(view, outcomes, { order, statuses }), [view, outcomes, order, statuses]);
  const hasCases = view.scenarios.some(({ cases }) => cases.length > 1);
  return (
    <section aria-label="Trials">
      <div className={styles.head}>
        <h2>Trials</h2>
        <OutcomeFilter outcomes={outcomes} chosen={statuses} onChoose={setStatuses} />
        {hasCases && (
          <label className={styles.order}>
            Cases{' '}
            <select value={order} onChange={({ target }) => setOrder(target.value === 'worst' ? 'worst' : 'file')}>
              <option value="file">as in the file</option>
              <option value="worst">worst first</option>
            </select>
          </label>
        )}
      </div>
      {rows.length === 0 ? <p>No trial ended so.</p> : <GridTable rows={rows} view={view} chosen={statuses} />}
    </section>
  );
}
