import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { RunView } from '../../../../src/app/view/run-view.ts';
import type { TrialOutcome } from '../../../../src/run/run-record.ts';
import { formatShare } from '../../format.ts';
import { OutcomeCell, OutcomeLegend } from '../../parts/outcome-cell.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { VerdictBadge } from '../../parts/verdict-badge.tsx';
import { type AssertionMean, type CaseOrder, type CaseRow, gridRows, type ScenarioRow } from './grid-rows.ts';
import styles from './outcome-grid.module.css';

const [SCENARIO_HEIGHT, CASE_HEIGHT] = [64, 34];

/** Every trial of the run as a cell, a row per case, and a column per assertion with its mean. */
export function OutcomeGrid({ view, outcomes }: { view: RunView; outcomes: TrialOutcome[] }) {
  const [order, setOrder] = useState<CaseOrder>('file');
  const rows = useMemo(() => gridRows(view, outcomes, order), [view, outcomes, order]);
  const hasCases = view.scenarios.some(({ cases }) => cases.length > 1);
  return (
    <section aria-label="Trials">
      <div className={styles.head}>
        <h2>Trials</h2>
        <OutcomeLegend />
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
      <Rows rows={rows} runId={view.run_id} />
    </section>
  );
}

function Rows({ rows, runId }: { rows: ReturnType<typeof gridRows>; runId: string }) {
  const list = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.kind === 'scenario' ? SCENARIO_HEIGHT : CASE_HEIGHT),
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  return (
    <div className={styles.grid} ref={list}>
      <div className={styles.rows} style={{ height: virtual.getTotalSize() }}>
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
              {row.kind === 'scenario' ? <ScenarioHead row={row} /> : <TrialsRow runId={runId} row={row} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function ScenarioHead({ row: { scenario, assertions } }: { row: ScenarioRow }) {
  const { name, model, adapter, summary } = scenario;
  return (
    <div className={`${styles.row} ${styles.scenario}`}>
      <div>
        <h3>{name}</h3>
        <span className={styles.model}>{model === adapter ? model : `${adapter} · ${model}`}</span>
      </div>
      <div className={styles.verdict}>
        {summary && <VerdictBadge verdict={summary.verdict} />}
        {summary && <RateBar rate={summary.pass_rate} interval={summary.pass_rate_ci} />}
      </div>
      <div className={styles.assertions}>
        {assertions.map((assertion) => (
          <div key={assertion.id} className={styles.assertion}>
            <span className={styles.assertionName} title={assertion.id}>
              {assertion.id}
            </span>
            <MeanMark {...assertion} />
          </div>
        ))}
      </div>
    </div>
  );
}

function TrialsRow({ runId, row }: { runId: string; row: CaseRow }) {
  const { name, skip, trials, assertions, scenarioIndex, caseIndex } = row;
  const shown = name ?? 'every trial';
  return (
    <div className={styles.row}>
      <div className={styles.name} title={shown}>
        {shown}
      </div>
      {skip === null ? (
        <div className={styles.cells}>
          {trials.map((outcome, index) => {
            const number = index + 1;
            const place = `Trial ${number}${name === null ? '' : ` of ${name}`}`;
            const cell = <OutcomeCell outcome={outcome} place={place} />;
            if (outcome === null) return <span key={number}>{cell}</span>;
            const href = `/runs/${runId}/trials/${scenarioIndex}/${caseIndex}/${number}`;
            return (
              <Link key={number} href={href} className={styles.link}>
                {cell}
              </Link>
            );
          })}
        </div>
      ) : (
        <div className={styles.model}>skipped: {skip}</div>
      )}
      <div className={styles.assertions}>
        {assertions.map((assertion) => (
          <div key={assertion.id} className={styles.assertion}>
            <MeanMark {...assertion} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** A mean score, with a bar behind it that is the longer the more was lost. */
function MeanMark({ id, mean }: AssertionMean) {
  const lost = mean === null ? 0 : 1 - mean;
  return (
    <span className={styles.mean} title={`${id}: ${formatShare(mean)}`}>
      <span className={styles.lost} style={{ width: `${lost * 100}%` }} />
      <span className={styles.value}>{formatShare(mean)}</span>
    </span>
  );
}
