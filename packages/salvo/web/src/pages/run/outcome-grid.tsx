import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import type { TrialOutcome } from '../../../../src/run/record/run-record.ts';
import { OutcomeFilter } from '../../parts/outcome-cell.tsx';
import { chosenHref, type RunAddress, readChoice } from './grid-choice.ts';
import { type GridQuery, gridRows } from './grid-rows.ts';
import { GridTable } from './grid-table.tsx';
import styles from './outcome-grid.module.css';

interface OutcomeGridProps {
  view: RunView;
  outcomes: TrialOutcome[];
  address: RunAddress;
}

/** Every trial of the run as a cell, a row per case, and a column per assertion with its mean. */
export function OutcomeGrid({ view, outcomes, address }: OutcomeGridProps) {
  const [, navigate] = useLocation();
  const choice = useMemo(() => readChoice(address.chosen), [address.chosen]);
  const { order, statuses } = choice;
  const rows = useMemo(() => gridRows(view, outcomes, choice), [view, outcomes, choice]);
  const choose = (change: Partial<GridQuery>) =>
    navigate(chosenHref(address.run, { ...choice, ...change }), { replace: true });
  const hasCases = view.scenarios.some(({ cases }) => cases.length > 1);
  return (
    <section aria-label="Trials">
      <div className={styles.head}>
        <h2>Trials</h2>
        <OutcomeFilter outcomes={outcomes} chosen={statuses} onChoose={(next) => choose({ statuses: next })} />
        {hasCases && (
          <label className={styles.order}>
            Cases{' '}
            <select
              value={order}
              onChange={({ target }) => choose({ order: target.value === 'worst' ? 'worst' : 'file' })}
            >
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
