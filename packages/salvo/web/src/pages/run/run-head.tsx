import { Link } from 'wouter';
import { compareHref, labelsHref, outputsHref, runHref } from '../../../../src/app/view/page-hrefs.ts';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import type { RunOverall } from '../../../../src/run/record/run-document.ts';
import type { TrialOutcome } from '../../../../src/run/record/run-record.ts';
import { type Cost, sumCosts } from '../../../../src/stats/cost.ts';
import { formatCost, formatCount, formatScore, formatSeconds } from '../../../../src/stats/format.ts';
import { agentCost, judgeCost, userCost } from '../../../../src/trace/cost-fields.ts';
import { useProject } from '../../api.ts';
import { formatTime } from '../../format-time.ts';
import { VerdictBadge } from '../../parts/badge.tsx';
import { Figure, Figures } from '../../parts/figures.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { WorkProgress } from '../../parts/work-progress.tsx';
import { RunActions } from './run-actions.tsx';
import styles from './run-head.module.css';

/** What came out, how far it is, and what can be done. */
export function RunHead({ view, outcomes }: { view: RunView; outcomes: TrialOutcome[] }) {
  const { run_id, verdict, created_at, finished_at, scenarios, is_running, reeval_of, git } = view;
  const done = outcomes.filter(({ status }) => status !== null).length;
  const planned = scenarios.reduce((sum, { trials_planned }) => sum + trials_planned, 0);
  const duration = finished_at === null ? null : (Date.parse(finished_at) - Date.parse(created_at)) / 1000;
  return (
    <header>
      <div className={styles.title}>
        <h1>
          Run <code>{run_id}</code>
        </h1>
        <VerdictBadge verdict={verdict} status={view.status} />
        <span className="soft">
          {formatTime(created_at)}
          {git && ` · commit ${git.commit.slice(0, 8)}${git.dirty ? ' with changes' : ''}`}
        </span>
        {reeval_of !== null && (
          <span className="soft">
            judged the conversations of <a href={`#${runHref(reeval_of)}`}>{reeval_of}</a> again
          </span>
        )}
        <CompareLinks view={view} />
        <RunActions view={view} />
      </div>
      <WorkProgress units="trials" done={done} planned={planned} isRunning={is_running} />
      <Figures>
        {view.models.length === 0 && <RateFigure view={view} outcomes={outcomes} />}
        {view.models.length === 0 && <Figure name="Mean score">{formatScore(meanScore(view, outcomes))}</Figure>}
        <Figure name="Scenarios">{new Set(scenarios.map(({ key }) => key)).size}</Figure>
        <Figure name="Trials">{formatCount(done)}</Figure>
        <Figure name="Cost of agents">{formatCost(is_running ? soFar(outcomes, agentCost) : view.cost)}</Figure>
        {hasUsers(view, outcomes) && (
          <Figure name="Cost of users">{formatCost(is_running ? soFar(outcomes, userCost) : view.user_cost)}</Figure>
        )}
        <Figure name="Cost of judges">{formatCost(is_running ? soFar(outcomes, judgeCost) : view.judge_cost)}</Figure>
        <Figure name="Duration">{formatSeconds(duration)}</Figure>
      </Figures>
    </header>
  );
}

/** While the run is at work, its summaries are not there yet, or are those of before. */
function finalFigures({ overall, scenarios, is_running }: RunView): RunOverall | null {
  return is_running || scenarios.every(({ summary }) => summary === null) ? null : overall;
}

function RateFigure({ view, outcomes }: { view: RunView; outcomes: TrialOutcome[] }) {
  const final = finalFigures(view);
  return (
    <Figure name="Pass rate">
      <RateBar rate={final ? final.pass_rate : liveRate(outcomes)} interval={final?.pass_rate_ci ?? null} />
    </Figure>
  );
}

function meanScore(view: RunView, outcomes: TrialOutcome[]): number | null {
  const final = finalFigures(view);
  return final ? final.score_avg : mean(outcomes.map(({ score }) => score));
}

function liveRate(outcomes: TrialOutcome[]): number | null {
  const scored = outcomes.filter(({ status }) => status !== null && status !== 'unscored');
  return scored.length === 0 ? null : scored.filter(({ status }) => status === 'passed').length / scored.length;
}

function hasUsers({ scenarios }: RunView, outcomes: readonly TrialOutcome[]): boolean {
  return (
    scenarios.some(({ summary }) => summary?.simulated_users) ||
    outcomes.some(({ user_cost_usd }) => user_cost_usd !== undefined)
  );
}

function soFar(outcomes: TrialOutcome[], costOf: (outcome: TrialOutcome) => Cost): Cost {
  return sumCosts(outcomes.flatMap((outcome) => (outcome.status === null ? [] : [costOf(outcome)])));
}

function mean(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0) / known.length;
}

const MOST_MODELS = 6;

/** From a run to its comparisons: with the run before it, and between its models. */
function CompareLinks({ view: { run_id, scenarios } }: { view: RunView }) {
  const distinct = (of: (scenario: RunView['scenarios'][number]) => string) => [...new Set(scenarios.map(of))];
  const models = distinct(({ model }) => model);
  const project = useProject();
  // An HTML file has neither other runs nor a way to store labels.
  if (!project.data?.live) return null;
  const candidates = (models.length > 1 ? models : distinct(({ adapter }) => adapter)).slice(0, MOST_MODELS);
  return (
    <nav aria-label="Comparisons" className={styles.links}>
      <Link href={compareHref(['previous', run_id])}>Compare with the previous run</Link>
      {candidates.length > 1 && (
        <Link href={compareHref(candidates.map((candidate) => `${run_id}@${candidate}`))}>Compare its models</Link>
      )}
      <Link href={outputsHref(run_id)}>Answers side by side</Link>
      <Link href={labelsHref(run_id)}>Label its trials</Link>
    </nav>
  );
}
