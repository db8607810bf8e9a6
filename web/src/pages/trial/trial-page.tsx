import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import type { TrialView } from '../../../../src/app/view/trial-view.ts';
import type { TrialOutcome } from '../../../../src/run/run-record.ts';
import { useOutcomes } from '../../api.ts';
import { formatDuration, formatMoney, formatShare } from '../../format.ts';
import { Figure, Figures } from '../../parts/figures.tsx';
import { LabelPanel } from '../../parts/label-panel.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useKey } from '../../use-key.ts';
import { usePageTitle } from '../../use-page-title.ts';
import { CompareTrialLink } from '../compare/compare-trial-link.tsx';
import { type TrialAddress, useTrial } from './api.ts';
import { AssertionList } from './assertion-list.tsx';
import { Conversation } from './conversation.tsx';
import styles from './trial-page.module.css';

export function TrialPage({ params }: { params: TrialAddress }) {
  const trial = useTrial(params);
  return <LoadState query={trial}>{(view) => <LoadedTrial view={view} />}</LoadState>;
}

function LoadedTrial({ view }: { view: TrialView }) {
  const { run_id, scenario, case: caseName, trial_number, result, trace } = view;
  const place = `${scenario.name}${caseName === null ? '' : ` · ${caseName}`} · trial ${trial_number}`;
  usePageTitle(place);
  return (
    <div className={styles.page}>
      <header>
        <nav aria-label="Where this is" className={styles.path}>
          <Link href={`/runs/${run_id}`}>Run {run_id}</Link> / {scenario.name}
          {caseName !== null && ` / ${caseName}`}
          {trace && <CompareTrialLink view={view} />}
        </nav>
        <div className={styles.title}>
          <h1>Trial {trial_number}</h1>
          <StatusBadge status={result?.status ?? null} />
          <FailureSteps view={view} />
        </div>
        <Figures>
          <Figure name="Score">{formatShare(result?.score ?? null)}</Figure>
          <Figure name="Model">{trace?.model ?? scenario.model}</Figure>
          <Figure name="Turns">{trace?.turn_count ?? '—'}</Figure>
          <Figure name="Tokens">{trace?.total_tokens ?? '—'}</Figure>
          <Figure name="Latency">{formatDuration(result?.latency_seconds ?? null)}</Figure>
          <Figure name="Cost of the agent">{formatMoney(result?.cost_usd ?? null)}</Figure>
          <Figure name="Cost of judges">{formatMoney(result?.judge_cost_usd ?? null)}</Figure>
        </Figures>
        {result?.error_message && (
          <p role="alert" className={styles.error}>
            {result.error_message}
          </p>
        )}
      </header>
      <div className={styles.columns}>
        {trace ? <Conversation trace={trace} /> : <p>Nothing was recorded of this trial.</p>}
        <div>
          <AssertionList view={view} />
          <LabelPanel key={trace?.trace_id} view={view} />
        </div>
      </div>
    </div>
  );
}

/** To the next and the previous trial that did not pass, with the keys n and p. */
function FailureSteps({ view }: { view: TrialView }) {
  const [, navigate] = useLocation();
  const pages = useOutcomes(view.run_id);
  const failures = useMemo(
    () =>
      (pages.data?.pages.flatMap(({ outcomes }) => outcomes) ?? []).filter(
        ({ status }) => status !== 'passed' && status !== null,
      ),
    [pages.data],
  );
  const next = failures.find((failure) => compare(failure, view) > 0);
  const previous = failures.findLast((failure) => compare(failure, view) < 0);
  const at = failures.findIndex((failure) => compare(failure, view) === 0);
  const open = (failure: TrialOutcome | undefined) => {
    if (failure) navigate(addressOf(view.run_id, failure));
  };
  useKey('n', () => open(next));
  useKey('p', () => open(previous));
  if (failures.length === 0) return null;
  return (
    <div className={styles.steps}>
      {at >= 0 && (
        <span>
          failure {at + 1} of {failures.length}
        </span>
      )}
      <button type="button" disabled={!previous} aria-keyshortcuts="p" onClick={() => open(previous)}>
        Previous failure <kbd>p</kbd>
      </button>
      <button type="button" disabled={!next} aria-keyshortcuts="n" onClick={() => open(next)}>
        Next failure <kbd>n</kbd>
      </button>
    </div>
  );
}

function compare(outcome: TrialOutcome, view: TrialView): number {
  return (
    outcome.scenario_index - view.scenario.index ||
    outcome.case_index - view.case_index ||
    outcome.trial_number - view.trial_number
  );
}

function addressOf(runId: string, { scenario_index, case_index, trial_number }: TrialOutcome): string {
  return `/runs/${runId}/trials/${scenario_index}/${case_index}/${trial_number}`;
}
