import { Link } from 'wouter';
import { traceHref, trialHref } from '../../../../src/app/view/page-hrefs.ts';
import type { TraceView } from '../../../../src/app/view/trial/trial-view.ts';
import { formatCost, formatCount, formatSeconds } from '../../../../src/stats/format.ts';
import { agentCost } from '../../../../src/trace/cost-fields.ts';
import { formatTime } from '../../format-time.ts';
import { Figure, Figures } from '../../parts/figures.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import { useTrace } from './api.ts';
import { type ConversationSearch, searchIn } from './conversation.tsx';
import { TraceBody } from './trace-body.tsx';
import styles from './trial-page.module.css';

/** A trace without the trial that it belongs to. */
export function TracePage({
  params: { trace: id, place, search: text },
}: {
  params: { trace: string; place?: string | undefined; search?: string | undefined };
}) {
  const trace = useTrace(id);
  const search = searchIn(traceHref(id), text);
  return <LoadState query={trace}>{(view) => <LoadedTrace {...{ view, search }} place={place ?? null} />}</LoadState>;
}

interface LoadedTraceProps {
  view: TraceView;
  place: string | null;
  search: ConversationSearch;
}

function LoadedTrace({ view: { trace, trial }, place, search }: LoadedTraceProps) {
  usePageTitle(`Trace ${trace.trace_id.slice(0, 10)}`);
  return (
    <div className="page">
      <header>
        <div className={styles.title}>
          <h1>
            Trace <code>{trace.trace_id.slice(0, 10)}</code>
          </h1>
          {trial && (
            <Link href={trialHref(trial)}>
              Trial {trial.trial_number} of run {trial.run_id}
            </Link>
          )}
        </div>
        <Figures>
          <Figure name="Recorded">{trace.timestamp === '' ? '—' : formatTime(trace.timestamp)}</Figure>
          <Figure name="Model">{visibleText(trace.model)}</Figure>
          <Figure name="Turns">{trace.turn_count}</Figure>
          <Figure name="Tokens">{formatCount(trace.total_tokens ?? null)}</Figure>
          <Figure name="Latency">{formatSeconds(trace.latency_seconds)}</Figure>
          <Figure name="Cost">{formatCost(agentCost(trace))}</Figure>
        </Figures>
      </header>
      <TraceBody
        {...{ trace, place, search }}
        assertions={[]}
        hrefOf={(at) => `${traceHref(trace.trace_id)}/${at}`}
        aside={null}
      />
    </div>
  );
}
