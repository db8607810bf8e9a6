import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { runHref, tracesHref, trialHref } from '../../../../src/app/view/page-hrefs.ts';
import type { TrialView } from '../../../../src/app/view/trial/trial-view.ts';
import { formatCost, formatCount, formatScore, formatSeconds } from '../../../../src/stats/format.ts';
import { agentCost, judgeCost, userCost } from '../../../../src/trace/cost-fields.ts';
import { useOutcomes, useProject } from '../../api.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { Figure, Figures } from '../../parts/figures.tsx';
import { LabelPanel } from '../../parts/label-panel.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import { type TrialAddress, useTrial } from './api.ts';
import { AssertionList } from './assertion-list.tsx';
import { type ConversationSearch, searchIn } from './conversation.tsx';
import { MakeTest } from './make-test.tsx';
import { TraceBody } from './trace-body.tsx';
import styles from './trial-page.module.css';
import { TrialSteps } from './trial-steps.tsx';

export function TrialPage({
  params,
}: {
  params: TrialAddress & { place?: string | undefined; search?: string | undefined };
}) {
  const trial = useTrial(params);
  const { run, scenario, case: caseIndex, trial: number, place = null } = params;
  const address = trialHref({
    ...{ run_id: run, scenario_index: Number(scenario) },
    ...{ case_index: Number(caseIndex), trial_number: Number(number) },
  });
  const search = searchIn(address, params.search);
  return (
    <LoadState query={trial}>
      {(view) => <LoadedTrial key={`${run} ${scenario} ${caseIndex} ${number}`} {...{ view, place, search }} />}
    </LoadState>
  );
}

function LoadedTrial({ view, place, search }: { view: TrialView; place: string | null; search: ConversationSearch }) {
  const { run_id, scenario, case: caseName, trial_number, result, trace } = view;
  const address = trialHref({ ...view, scenario_index: scenario.index });
  const hrefOf = (at: string): string => `${address}/${at}`;
  usePageTitle(`${scenario.name}${caseName === null ? '' : ` · ${caseName}`} · trial ${trial_number}`);
  const hadPlace = useRef(place !== null);
  useEffect(() => {
    // Another trial begins at its top, unless the address names a place in it.
    if (!hadPlace.current) window.scrollTo(0, 0);
  }, []);
  const list = (
    <>
      <AssertionList view={view} hrefOf={hrefOf} />
      <LabelPanel key={trace?.trace_id} view={view} />
    </>
  );
  return (
    <div className="page">
      <header>
        <nav aria-label="Where this is" className="soft small">
          <Link href={runHref(run_id)}>Run {run_id}</Link> / {visibleText(scenario.name)}
          {caseName !== null && ` / ${visibleText(caseName)}`}
          {trace && <CompareTrialLink view={view} />}
        </nav>
        <div className={styles.title}>
          <h1>Trial {trial_number}</h1>
          <StatusBadge status={result?.status ?? null} />
          {trace && <MakeTest traceId={trace.trace_id} hasPassed={result?.status === 'passed'} />}
          <TrialSteps view={view} />
        </div>
        <Figures>
          <Figure name="Score">{formatScore(result?.score ?? null)}</Figure>
          <Figure name="Model">{visibleText(trace?.model ?? scenario.model)}</Figure>
          {trace?.simulated_user && <Figure name="User">{visibleText(trace.simulated_user.model ?? 'script')}</Figure>}
          <Figure name="Turns">{trace?.turn_count ?? '—'}</Figure>
          <Figure name="Tokens">{formatCount(trace?.total_tokens ?? null)}</Figure>
          {result?.tools_seen && (
            <Figure name="Tool calls">{result.tools_declared ? 'declared' : result.tools_seen}</Figure>
          )}
          <Figure name="Latency">{formatSeconds(result?.latency_seconds ?? null)}</Figure>
          <Figure name="Cost of the agent">{formatCost(result ? agentCost(result) : null)}</Figure>
          {result?.simulated_user && <Figure name="Cost of the user">{formatCost(userCost(result))}</Figure>}
          <Figure name="Cost of judges">{formatCost(result ? judgeCost(result) : null)}</Figure>
        </Figures>
        {result?.error_message && (
          <p role="alert" className={styles.error}>
            {visibleText(result.error_message.slice(0, 2000))}
          </p>
        )}
      </header>
      {trace ? (
        <TraceBody {...{ trace, place, search, hrefOf }} assertions={view.assertions} aside={list} />
      ) : (
        <>
          <p>Nothing was recorded of this trial.</p>
          {list}
        </>
      )}
    </div>
  );
}

/** From a trial to its conversation beside that of another trial of the same case: one that ended differently, if any. */
function CompareTrialLink({ view }: { view: TrialView }) {
  const project = useProject();
  const others = useOutcomes(view.run_id).filter(
    ({ scenario_index, case_index, trial_number, trace_id }) =>
      scenario_index === view.scenario.index &&
      case_index === view.case_index &&
      trial_number !== view.trial_number &&
      trace_id !== null,
  );
  const other = others.find(({ status }) => status !== view.result?.status) ?? others[0];
  // An HTML file does not have the comparisons of all pairs.
  if (!other || !project.data?.live) return null;
  const { run_id, case_index, trial_number } = view;
  const own = { run_id, scenario_index: view.scenario.index, case_index, trial_number };
  return (
    <>
      {' '}
      ·{' '}
      <Link href={tracesHref(own, { ...own, trial_number: other.trial_number })}>
        beside trial {other.trial_number}
      </Link>
    </>
  );
}
