import { runOverall } from '../../run/overall.ts';
import type { ScenarioSummary, Verdict } from '../../run/run-document.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import type { RunListing, Store } from '../../store/store.ts';
import type { FilterFields } from './filter-expression.ts';
import { parseRunFilter, type RunField } from './run-filter.ts';

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
  /** The pass rates of runs of the same scenarios, adapters and models up to this one, the oldest first. */
  trend: number[];
}

export interface RunLines {
  /** How many runs fit the filter. */
  total: number;
  runs: RunLine[];
}

export const SORT_KEYS = ['created', 'verdict', 'pass_rate', 'trials', 'cost', 'duration'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface RunLinesQuery {
  offset: number;
  limit: number;
  /** As in `parseFilter`; nothing for all runs. */
  filter: string;
  sort: SortKey;
  /** The largest or newest first. */
  descending: boolean;
}

const LONGEST_TREND = 12;

/** A page of the runs that fit the filter. */
export async function runLines(store: Store | null, query: RunLinesQuery): Promise<RunLines> {
  const fits = parseRunFilter(query.filter);
  const runs = store === null ? [] : await store.listRuns();
  const lines = withTrends(runs.map(runLine)).filter((line) => fits(filterFields(line)));
  const ordered = inOrder(lines, query);
  return { total: ordered.length, runs: ordered.slice(query.offset, query.offset + query.limit) };
}

/** Runs come newest first, and equal ones stay so. Those without a value are last in both directions. */
function inOrder(lines: RunLine[], { sort, descending }: Pick<RunLinesQuery, 'sort' | 'descending'>): RunLine[] {
  if (sort === 'created') return descending ? lines : lines.toReversed();
  const sign = descending ? -1 : 1;
  return lines.toSorted((a, b) => {
    const [first, second] = [sortValue(a, sort), sortValue(b, sort)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * (first - second);
  });
}

const VERDICTS: readonly (Verdict | null)[] = [
  'SKIPPED',
  'PASS',
  'RECORDED',
  'PARTIAL',
  'UNSCORED',
  'FAIL',
  'HARD_FAIL',
];

function sortValue(line: RunLine, sort: Exclude<SortKey, 'created'>): number | null {
  switch (sort) {
    case 'verdict':
      return line.verdict === null ? null : VERDICTS.indexOf(line.verdict);
    case 'pass_rate':
      return line.pass_rate;
    case 'trials':
      return line.trials;
    case 'cost':
      return line.cost_usd;
    case 'duration':
      return line.duration_seconds;
  }
}

function filterFields(line: RunLine): Record<RunField, FilterFields[string]> {
  const all = (field: 'name' | 'model' | 'adapter') => line.scenarios.map((scenario) => scenario[field]);
  return {
    run: line.run_id,
    verdict: (line.verdict ?? line.status).replace('_', ' '),
    status: line.status,
    scenario: all('name'),
    model: all('model'),
    adapter: all('adapter'),
    pass_rate: line.pass_rate,
    trials: line.trials,
    cost: line.cost_usd,
    duration: line.duration_seconds,
    date: line.created_at,
  };
}

/** Of runs of the same scenarios with the same models, newest first: another model's pass rate is no trend. */
function withTrends(lines: RunLine[]): RunLine[] {
  const trends = new Map<string, number[]>();
  for (const line of lines.toReversed()) {
    const key = JSON.stringify(line.scenarios.map(({ name, adapter, model }) => [name, adapter, model]).sort());
    const earlier = trends.get(key) ?? [];
    const trend = line.pass_rate === null ? earlier : [...earlier, line.pass_rate].slice(-LONGEST_TREND);
    trends.set(key, trend);
    line.trend = trend;
  }
  return lines;
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
    trend: [],
  };
}

function total(summaries: ScenarioSummary[], costOf: (summary: ScenarioSummary) => number | null): number | null {
  return sumOrUnknown(summaries.map(costOf));
}
