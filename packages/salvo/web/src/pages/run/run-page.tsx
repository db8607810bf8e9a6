import { useLocation } from 'wouter';
import { trialHref } from '../../../../src/app/view/page-hrefs.ts';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import type { TrialOutcome } from '../../../../src/run/record/run-record.ts';
import { formatCost, formatMoney, formatScore, formatSeconds } from '../../../../src/stats/format.ts';
import { useOutcomes, useRun } from '../../api.ts';
import { VerdictBadge } from '../../parts/badge.tsx';
import { TableSection } from '../../parts/data-table.tsx';
import { Histogram } from '../../parts/histogram.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { useKey } from '../../use-key.ts';
import { type TabState, usePageTitle } from '../../use-page-title.ts';
import { DoseCurves } from './dose-curves.tsx';
import { ErrorList, FailureList } from './failure-list.tsx';
import { GateList } from './gate-list.tsx';
import type { RunAddress } from './grid-choice.ts';
import { OutcomeGrid } from './outcome-grid.tsx';
import { RunHead } from './run-head.tsx';
import { RunNotes } from './run-notes.tsx';
import styles from './sections.module.css';

export function RunPage({ address }: { address: RunAddress }) {
  const run = useRun(address.run);
  usePageTitle(`Run ${address.run}`, run.data ? tabState(run.data) : null);
  return <LoadState query={run}>{(view) => <LoadedRun view={view} address={address} />}</LoadState>;
}

function tabState({ is_running, verdict }: RunView): TabState {
  if (is_running) return 'running';
  if (verdict === 'PASS') return 'pass';
  return verdict === 'FAIL' || verdict === 'HARD_FAIL' || verdict === 'PARTIAL' ? 'fail' : 'unscored';
}

function LoadedRun({ view, address }: { view: RunView; address: RunAddress }) {
  const [, navigate] = useLocation();
  const outcomes = useOutcomes(view.run_id);
  useKey('n', () => {
    const failure = outcomes.find(({ status }) => status !== null && status !== 'passed');
    if (!failure) return;
    navigate(trialHref({ ...failure, run_id: view.run_id }));
  });
  return (
    <div className="page">
      <RunHead view={view} outcomes={outcomes} />
      <DoseCurves view={view} />
      <FailureList view={view} />
      <ErrorList view={view} />
      <RunNotes view={view} />
      <ModelTable view={view} />
      <OutcomeGrid view={view} outcomes={outcomes} address={address} />
      <GateList view={view} />
      <Distributions outcomes={outcomes} />
    </div>
  );
}

/** The models of a run that compares several, over all scenarios. */
function ModelTable({ view: { models } }: { view: RunView }) {
  if (models.length === 0) return null;
  return (
    <TableSection
      name="Models"
      rows={models}
      keyOf={({ label }) => label}
      columns={[
        ['Model', ({ label }) => label, 'head'],
        ['Verdict', ({ verdict }) => <VerdictBadge verdict={verdict} />],
        ['Pass rate', ({ overall }) => <RateBar rate={overall.pass_rate} interval={overall.pass_rate_ci} />],
        [{ number: 'Passed' }, ({ trials_passed, trials_scored }) => `${trials_passed} of ${trials_scored}`],
        [{ number: 'Mean score' }, ({ overall }) => formatScore(overall.score_avg)],
        [{ number: 'Cost' }, ({ cost }) => formatCost(cost)],
      ]}
    />
  );
}

function Distributions({ outcomes }: { outcomes: TrialOutcome[] }) {
  const known = (values: (number | null)[]): number[] => values.filter((value) => value !== null);
  return (
    <section>
      <h2>Distributions</h2>
      <div className={styles.charts}>
        <Histogram
          name="Score"
          values={known(outcomes.map(({ score }) => score))}
          format={formatScore}
          range={[0, 1]}
        />
        <Histogram
          name="Latency"
          values={known(outcomes.map(({ latency_seconds }) => latency_seconds))}
          format={formatSeconds}
        />
        <Histogram
          name="Cost of the agent"
          values={known(outcomes.map(({ cost_usd }) => cost_usd))}
          format={formatMoney}
        />
      </div>
    </section>
  );
}
