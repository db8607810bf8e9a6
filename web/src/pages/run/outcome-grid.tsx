import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { Link } from 'wouter';
import type { RunView, ScenarioView } from '../../../../src/app/view/run-view.ts';
import type { TrialOutcome } from '../../../../src/run/run-record.ts';
import { formatShare } from '../../format.ts';
import { OutcomeCell } from '../../parts/outcome-cell.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { VerdictBadge } from '../../parts/verdict-badge.tsx';
import { type CaseRow, gridRows } from './grid-rows.ts';
import styles from './outcome-grid.module.css';

const [SCENARIO_HEIGHT, CASE_HEIGHT] = [52, 34];

/** Every trial of the run as a cell, a row per case, with the means of the assertions. */
export function OutcomeGrid({ view, outcomes }: { view: RunView; outcomes: TrialOutcome[] }) {
  const rows = useMemo(() => gridRows(view, outcomes), [view, outcomes]);
  const list = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.kind === 'scenario' ? SCENARIO_HEIGHT : CASE_HEIGHT),
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  return (
    <section aria-label="Trials" className={styles.grid} ref={list}>
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles.item}
              style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
            >
              {row.kind === 'scenario' ? (
                <ScenarioRow scenario={row.scenario} />
              ) : (
                <TrialsRow runId={view.run_id} row={row} />
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

function ScenarioRow({ scenario: { name, model, adapter, summary } }: { scenario: ScenarioView }) {
  return (
    <div className={styles.scenario}>
      <h2>{name}</h2>
      <span className={styles.model}>{model === adapter ? model : `${adapter} · ${model}`}</span>
      {summary && <VerdictBadge verdict={summary.verdict} />}
      {summary && <RateBar rate={summary.pass_rate} interval={summary.pass_rate_ci} />}
    </div>
  );
}

function TrialsRow({ runId, row }: { runId: string; row: CaseRow }) {
  return (
    <div className={styles.case}>
      <div className={styles.name} title={row.name ?? ''}>
        {row.name ?? 'all trials'}
      </div>
      <div className={styles.cells}>
        {row.trials.map((outcome, index) => {
          const number = index + 1;
          const place = `trial ${number}${row.name === null ? '' : ` of ${row.name}`}`;
          return outcome ? (
            <Link
              key={number}
              href={`/runs/${runId}/trials/${row.scenarioIndex}/${row.caseIndex}/${number}`}
              className={styles.link}
            >
              <OutcomeCell outcome={outcome} place={place} />
            </Link>
          ) : (
            <OutcomeCell key={number} outcome={null} place={place} />
          );
        })}
      </div>
      <dl className={styles.assertions}>
        {row.assertions.map(({ id, mean }) => (
          <div key={id} title={`${id}: ${formatShare(mean)}`}>
            <dt>{id}</dt>
            <dd>{formatShare(mean)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
