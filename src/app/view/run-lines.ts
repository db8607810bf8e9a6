import { runOverall } from '../../run/overall.ts';
import type { ScenarioSummary, Verdict } from '../../run/run-document.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import type { RunListing, Store } from '../../store/store.ts';

/** A run in the list of runs. */
export interface RunLine {
  run_id: string;
  created_at: string;
  status: RunListing['status'];
  /** Null while it runs. */
  verdict: Verdict | null;
  reeval_of: string | null;
  scenarios: { name: string; model: string; adapter: string; verdict: Verdict | null; pass_rate: number | null }[];
  pass_rate: number | null;
  pass_rate_ci: [number, number] | null;
  trials: number;
  /** Null if some of it is unknown. */
  cost_usd: number | null;
  judge_cost_usd: number | null;
  /** Null while it runs. */
  duration_seconds: number | null;
}

export interface RunLines {
  total: number;
  runs: RunLine[];
}

/** The newest runs first. */
export async function runLines(store: Store | null, page: { offset: number; limit: number }): Promise<RunLines> {
  const all = store === null ? [] : await store.listRuns();
  return { total: all.length, runs: all.slice(page.offset, page.offset + page.limit).map(runLine) };
}

function runLine(run: RunListing): RunLine {
  const { run_id, created_at, finished_at, status, verdict, reeval_of } = run;
  const summaries = run.scenarios.flatMap(({ summary }) => (summary === null ? [] : [summary]));
  const [only, ...others] = summaries;
  const overall = runOverall(summaries, run.options.seed);
  return {
    ...{ run_id, created_at, status, verdict, reeval_of },
    scenarios: run.scenarios.map(({ name, model, adapter, summary }) => ({
      ...{ name, model, adapter },
      verdict: summary?.verdict ?? null,
      pass_rate: summary?.pass_rate ?? null,
    })),
    pass_rate: overall.pass_rate,
    // Of one scenario the interval over its trials is known; of several, the one over scenarios.
    pass_rate_ci: only && others.length === 0 ? only.pass_rate_ci : overall.pass_rate_ci,
    trials: summaries.reduce((sum, { trials_total }) => sum + trials_total, 0),
    cost_usd: total(summaries, ({ cost_total_usd }) => cost_total_usd),
    judge_cost_usd: total(summaries, ({ judge_cost_usd }) => judge_cost_usd),
    duration_seconds: finished_at === null ? null : (Date.parse(finished_at) - Date.parse(created_at)) / 1000,
  };
}

function total(summaries: ScenarioSummary[], costOf: (summary: ScenarioSummary) => number | null): number | null {
  return sumOrUnknown(summaries.map(costOf));
}
