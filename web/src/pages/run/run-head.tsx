import type { RunView } from '../../../../src/app/view/run-view.ts';
import type { TrialOutcome } from '../../../../src/run/run-record.ts';
import { formatDuration, formatMoney, formatShare, formatTime } from '../../format.ts';
import { Figure, Figures } from '../../parts/figures.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { VerdictBadge } from '../../parts/verdict-badge.tsx';
import { CompareLinks } from '../compare/compare-links.tsx';
import styles from './run-head.module.css';

/** What came out, and how far it is. */
export function RunHead({ view, outcomes }: { view: RunView; outcomes: TrialOutcome[] }) {
  const { run_id, verdict, overall, created_at, finished_at, scenarios } = view;
  const planned = scenarios.reduce((sum, { trials_planned }) => sum + trials_planned, 0);
  const done = outcomes.filter(({ status }) => status !== null).length;
  const duration = finished_at === null ? null : (Date.parse(finished_at) - Date.parse(created_at)) / 1000;
  const only = scenarios.length === 1 ? scenarios[0]?.summary : null;
  return (
    <header>
      <div className={styles.title}>
        <h1>
          Run <code>{run_id}</code>
        </h1>
        <VerdictBadge verdict={view.is_running ? null : (verdict ?? 'UNSCORED')} />
        <span className={styles.when}>{formatTime(created_at)}</span>
        <CompareLinks view={view} />
      </div>
      {done < planned && (
        <div className={styles.progress}>
          <progress value={done} max={planned} aria-label="Trials" /> {done} of {planned} trials
        </div>
      )}
      <Figures>
        <Figure name="Pass rate">
          <RateBar
            rate={overall.pass_rate ?? liveRate(outcomes)}
            interval={only ? only.pass_rate_ci : overall.pass_rate_ci}
          />
        </Figure>
        <Figure name="Mean score">{formatShare(overall.score_avg ?? mean(outcomes.map(({ score }) => score)))}</Figure>
        <Figure name="Trials">{done}</Figure>
        <Figure name="Cost of agents">{formatMoney(sum(outcomes.map(({ cost_usd }) => cost_usd)))}</Figure>
        <Figure name="Cost of judges">{formatMoney(sum(outcomes.map(({ judge_cost_usd }) => judge_cost_usd)))}</Figure>
        <Figure name="Duration">{formatDuration(duration)}</Figure>
      </Figures>
    </header>
  );
}

/** While the run has no summary yet. */
function liveRate(outcomes: TrialOutcome[]): number | null {
  const scored = outcomes.filter(({ status }) => status !== null && status !== 'unscored');
  return scored.length === 0 ? null : scored.filter(({ status }) => status === 'passed').length / scored.length;
}

function mean(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0) / known.length;
}

/** Null if nothing is known. */
function sum(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
