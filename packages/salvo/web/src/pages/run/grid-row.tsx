import { memo } from 'react';
import { trialHref } from '../../../../src/app/view/page-hrefs.ts';
import type { TrialStatus } from '../../../../src/evaluators/eval-result.ts';
import { formatScore } from '../../../../src/stats/format.ts';
import { VerdictBadge } from '../../parts/badge.tsx';
import { OutcomeCell } from '../../parts/outcome-cell.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import type { AssertionMean, CaseRow, ScenarioRow } from './grid-rows.ts';
import styles from './outcome-grid.module.css';

/** The head of the rows below it: a scenario with one model, and its assertions as columns. */
export function ScenarioHead({ row, isRunning }: { row: ScenarioRow; isRunning: boolean }) {
  const { scenario, assertions, isRepeated } = row;
  const { name, model, adapter, summary } = scenario;
  const isKnown = summary !== null && !isRunning;
  return (
    <>
      <th scope="row" className={styles.title}>
        <h3 className={isRepeated ? styles.repeated : undefined} title={name}>
          {name}
        </h3>
        <span className={styles.model} title={`${adapter} · ${model}`}>
          {model === adapter ? model : `${adapter} · ${model}`}
        </span>
      </th>
      <td className={styles.verdict}>
        {isKnown && <VerdictBadge verdict={summary.verdict} />}
        {isKnown && <RateBar rate={summary.pass_rate} interval={summary.pass_rate_ci} />}
      </td>
      {assertions.map((assertion) => (
        <th key={assertion.id} scope="col" className={styles.assertion}>
          <span className={styles.assertionName} title={assertion.id}>
            {assertion.id}
          </span>
          <MeanMark {...assertion} />
        </th>
      ))}
    </>
  );
}

/** A row of trials is drawn again only if it changed: there may be a hundred cells in it. */
export const TrialsRow = memo(function TrialsRow({
  runId,
  row,
  current,
  chosen,
  onFocus,
}: {
  runId: string;
  row: CaseRow;
  /** The number of the trial that Tab leads to; null if it is in another row. */
  current: number | null;
  chosen: ReadonlySet<TrialStatus>;
  onFocus: (number: number) => void;
}) {
  const { key, name, skip, quarantine, trials, assertions, scenarioIndex, caseIndex } = row;
  const shown = name ?? numbersOf(row);
  const ofCase = { run_id: runId, scenario_index: scenarioIndex, case_index: caseIndex };
  return (
    <>
      <th
        scope="row"
        className={styles.name}
        title={quarantine === null ? shown : `${shown}, in quarantine: ${quarantine}`}
      >
        {quarantine !== null && <span aria-hidden="true">⊘ </span>}
        {shown}
      </th>
      <td className={styles.cells}>
        {skip !== null && <span className={styles.model}>skipped: {skip}</span>}
        {trials.map(({ number, outcome }) => {
          const place = `Trial ${number}${name === null ? '' : ` of ${name}`}`;
          if (outcome === null) return <OutcomeCell key={number} outcome={null} place={place} />;
          const isFaint = chosen.size > 0 && (outcome.status === null || !chosen.has(outcome.status));
          return (
            <a
              key={number}
              href={`#${trialHref({ ...ofCase, trial_number: number })}`}
              className={`${styles.link} ${isFaint ? styles.faint : ''}`}
              data-place={`${key} ${number}`}
              tabIndex={current === number ? 0 : -1}
              onFocus={() => {
                if (current !== number) onFocus(number);
              }}
            >
              <OutcomeCell outcome={outcome} place={place} />
            </a>
          );
        })}
      </td>
      {assertions.map((assertion) => (
        <td key={assertion.id} className={styles.assertion}>
          <MeanMark {...assertion} />
        </td>
      ))}
    </>
  );
}, isSameRow);

function isSameRow(
  before: { row: CaseRow; current: number | null; chosen: ReadonlySet<TrialStatus> },
  after: typeof before,
): boolean {
  return before.row === after.row && before.current === after.current && before.chosen === after.chosen;
}

function numbersOf({ trials }: CaseRow): string {
  const [first, last] = [trials[0]?.number, trials.at(-1)?.number];
  return first === last ? `trial ${first ?? ''}` : `trials ${first}–${last}`;
}

/** A mean score, with a bar behind it that is the longer the more was lost. */
function MeanMark({ id, mean }: AssertionMean) {
  const lost = mean === null ? 0 : 1 - mean;
  return (
    <span className={styles.mean} title={`${id}: ${formatScore(mean)}`}>
      <span className={styles.lost} style={{ width: `${lost * 100}%` }} />
      <span className={styles.value}>{formatScore(mean)}</span>
    </span>
  );
}
