import { useMemo } from 'react';
import type { RunView } from '../../../../src/app/view/run-view.ts';
import type { TrialOutcome } from '../../../../src/run/run-record.ts';
import { useOutcomes, useRun } from '../../api.ts';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { Distributions } from './distributions.tsx';
import { FailureList } from './failure-list.tsx';
import { OutcomeGrid } from './outcome-grid.tsx';
import { RunHead } from './run-head.tsx';
import styles from './run-page.module.css';

export function RunPage({ params }: { params: { run: string } }) {
  usePageTitle(`Run ${params.run}`);
  const run = useRun(params.run);
  return <LoadState query={run}>{(view) => <LoadedRun view={view} />}</LoadState>;
}

function LoadedRun({ view }: { view: RunView }) {
  const pages = useOutcomes(view.run_id);
  const outcomes: TrialOutcome[] = useMemo(
    () => pages.data?.pages.flatMap((page) => page.outcomes) ?? [],
    [pages.data],
  );
  return (
    <div className={styles.page}>
      <RunHead view={view} outcomes={outcomes} />
      <OutcomeGrid view={view} outcomes={outcomes} />
      <FailureList view={view} />
      <Distributions outcomes={outcomes} />
    </div>
  );
}
