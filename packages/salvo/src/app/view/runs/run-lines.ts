import type { Verdict } from '../../../run/record/run-document.ts';
import { type Cost, knownUsd } from '../../../stats/cost.ts';
import type { Store, UnreadableRun } from '../../../store/store.ts';
import type { FilterFields } from './filter-expression.ts';
import { liveLine } from './live-line.ts';
import { parseRunFilter, type RunField } from './run-filter.ts';
import { type RunLine, runLine } from './run-line.ts';

export type RunLines = Awaited<ReturnType<typeof runLines>>;

export const SORT_KEYS = [
  ...(['created', 'verdict', 'scenario', 'model', 'pass_rate', 'score', 'trials', 'cost', 'duration'] as const),
];
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
export async function runLines(store: Store | null, query: RunLinesQuery) {
  const fits = parseRunFilter(query.filter);
  const { lines, unreadable } = store === null ? { lines: [], unreadable: [] } : await liveLines(store);
  const now = Date.now();
  const fitting = query.filter === '' ? lines : lines.filter((line) => fits(filterFields(line, now)));
  const ordered = inOrder(fitting, query);
  return { total: ordered.length, runs: ordered.slice(query.offset, query.offset + query.limit), unreadable };
}

interface KnownLine {
  revision: number;
  line: Omit<RunLine, 'trend'> | UnreadableRun;
}
const knownLines = new WeakMap<Store, Map<string, KnownLine>>();

/** All runs, newest first. Only what changed since the last time is read: there may be thousands. */
async function liveLines(store: Store): Promise<{ lines: RunLine[]; unreadable: UnreadableRun[] }> {
  const known = knownLines.get(store) ?? new Map<string, KnownLine>();
  knownLines.set(store, known);
  const revisions = await store.runRevisions();
  const changed = new Map(
    revisions.flatMap(({ run_id, revision }): [string, number][] =>
      known.get(run_id)?.revision === revision ? [] : [[run_id, revision]],
    ),
  );
  if (changed.size > 0) {
    const keep = (line: KnownLine['line']) => known.set(line.run_id, { revision: changed.get(line.run_id) ?? 0, line });
    for (const run of await store.runFigures([...changed.keys()], keep)) keep(runLine(run));
  }
  const all = revisions.flatMap(({ run_id }) => known.get(run_id)?.line ?? []);
  const readable = all.flatMap((line) => ('why' in line ? [] : [line]));
  const lines = await Promise.all(withTrends(readable).map((line) => liveLine(store, line)));
  return { lines, unreadable: all.flatMap((line) => ('why' in line ? [line] : [])) };
}

/** Runs come newest first, and equal ones stay so. Those without a value are last in both directions. */
function inOrder(lines: RunLine[], { sort, descending }: Pick<RunLinesQuery, 'sort' | 'descending'>): RunLine[] {
  if (sort === 'created') return descending ? lines : lines.toReversed();
  const sign = descending ? -1 : 1;
  return lines
    .map((line) => ({ line, value: SORTED[sort](line) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return a.value === b.value ? 0 : a.value < b.value ? -sign : sign;
    })
    .map(({ line }) => line);
}

/** From good to bad. */
const VERDICTS: readonly Verdict[] = [
  'SKIPPED',
  'PASS',
  'RECORDED',
  'QUARANTINED',
  'PARTIAL',
  'UNSCORED',
  'FAIL',
  'HARD_FAIL',
];

const SORTED: Record<Exclude<SortKey, 'created'>, (line: RunLine) => number | string | null> = {
  verdict: ({ verdict }) => (verdict === null ? null : VERDICTS.indexOf(verdict)),
  scenario: ({ scenarios }) => scenarios[0]?.name ?? null,
  model: ({ scenarios }) => scenarios[0]?.model ?? null,
  pass_rate: (line) => lowestRate(line),
  score: ({ score }) => score,
  trials: ({ trials }) => trials,
  cost: ({ cost }) => knownCost(cost),
  duration: ({ duration_seconds }) => duration_seconds,
};

/** Null if nothing is known of it. */
function knownCost(cost: Cost | null): number | null {
  return cost === null ? null : cost.usd === null ? knownUsd(cost) || null : cost.usd;
}

/** Of several models, the worst one says most about the run. */
function lowestRate({ pass_rate, models }: RunLine): number | null {
  const rates = (models ?? []).flatMap((model) => model.pass_rate ?? []);
  return rates.length === 0 ? pass_rate : Math.min(...rates);
}

function filterFields(line: RunLine, now: number): Record<RunField, FilterFields[string]> {
  const all = (field: 'name' | 'file' | 'model' | 'adapter') => line.scenarios.map((scenario) => scenario[field]);
  const verdict = line.verdict ?? line.status;
  return {
    run: line.run_id,
    verdict: [verdict, verdict.replaceAll('_', ' ')],
    status: line.status,
    scenario: all('name'),
    file: all('file'),
    model: all('model'),
    adapter: all('adapter'),
    pass_rate: lowestRate(line),
    score: line.score,
    trials: line.trials,
    cost: knownCost(line.cost),
    duration: line.duration_seconds,
    date: line.created_at,
    age: (now - Date.parse(line.created_at)) / 1000,
  };
}

/** Of runs of the same scenarios with the same models, newest first: another model's pass rate is no trend. */
function withTrends(lines: readonly Omit<RunLine, 'trend'>[]): RunLine[] {
  const trends = new Map<string, number[]>();
  const oldestFirst = lines.toReversed().map((line): RunLine => {
    const key = JSON.stringify(line.scenarios.map(({ name, adapter, model }) => [name, adapter, model]).sort());
    const earlier = trends.get(key) ?? [];
    const trend = line.pass_rate === null ? earlier : [...earlier, line.pass_rate].slice(-LONGEST_TREND);
    trends.set(key, trend);
    return { ...line, trend };
  });
  return oldestFirst.reverse();
}
