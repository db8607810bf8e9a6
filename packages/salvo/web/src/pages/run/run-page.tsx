import { useLocation } from 'wouter';
import { trialHref } from '../../../../src/app/view/page-hrefs.ts';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { useOutcomes, useRun } from '../../api.ts';
import { LoadState } from '../../parts/load-state.tsx';
import { useKey } from '../../use-key.ts';
import { type TabState, usePageTitle } from '../../use-page-title.ts';
import { Distributions } from './distributions.tsx';
import { ErrorList, FailureList } from './failure-list.tsx';
import { GateList } from './gate-list.tsx';
import type { RunAddress } from './grid-choice.ts';
import { ModelTable } from './model-table.tsx';
import { OutcomeGrid } from './outcome-grid.tsx';
import { RunHead } from './run-head.tsx';
import { RunNotes } from './run-notes.tsx';

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
