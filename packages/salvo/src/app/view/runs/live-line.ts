import { candidateLabels, isMatrix } from '../../../run/record/candidate-labels.ts';
import type { Store } from '../../../store/store.ts';
import type { RunLine } from './run-line.ts';

/** What is known of each scenario of a run by its trials so far. */
interface Count {
  done: number;
  scored: number;
  passed: number;
}

/**
 * A run whose end was not stored, by its trials: it is at work, or its process was killed and could not say that it was
 * interrupted. What it costs is known at the end.
 */
export async function liveLine(store: Store, line: RunLine): Promise<RunLine> {
  if (line.status !== 'running') return line;
  const holder = await store.holderOf({ kind: 'run', id: line.run_id });
  const counts = await recentCounts(store, line.run_id);
  const labels = candidateLabels(line.scenarios);
  const byLabel = Map.groupBy(counts, ([index]) => labels[index] ?? '');
  const rateOf = (own: readonly [number, Count][] = []) => {
    const scored = sum(own, 'scored');
    return scored === 0 ? null : sum(own, 'passed') / scored;
  };
  const isCompared = isMatrix(line.scenarios);
  return {
    ...line,
    status: holder === null ? 'interrupted' : 'running',
    verdict: null,
    pass_rate: isCompared ? null : rateOf([...counts]),
    pass_rate_ci: null,
    score: null,
    models: isCompared ? [...new Set(labels)].map((label) => ({ label, pass_rate: rateOf(byLabel.get(label)) })) : null,
    trials: sum([...counts], 'done'),
    cost: null,
    judge_cost: null,
    user_cost: null,
    duration_seconds: null,
  };
}

function sum(counts: readonly [number, Count][], field: keyof Count): number {
  return counts.reduce((total, [, count]) => total + count[field], 0);
}

type Counts = ReadonlyMap<number, Count>;
const known = new WeakMap<Store, Map<string, { until: number; counts: Counts }>>();
/** A list that is open asks every second. The larger a run, the rarer it is counted. */
const PAUSE_PER_READING = 10;

async function recentCounts(store: Store, runId: string): Promise<Counts> {
  const ofStore = known.get(store) ?? new Map<string, { until: number; counts: Counts }>();
  known.set(store, ofStore);
  const recent = ofStore.get(runId);
  const begun = performance.now();
  if (recent && begun < recent.until) return recent.counts;
  const counts = await countTrials(store, runId);
  const now = performance.now();
  ofStore.set(runId, { until: now + (now - begun) * PAUSE_PER_READING, counts });
  return counts;
}

async function countTrials(store: Store, runId: string): Promise<Counts> {
  const counts = new Map<number, Count>();
  for await (const { scenario_index, status } of store.trialHeads(runId)) {
    if (status === null) continue;
    const count = counts.get(scenario_index) ?? { done: 0, scored: 0, passed: 0 };
    counts.set(scenario_index, count);
    count.done += 1;
    if (status !== 'unscored') count.scored += 1;
    if (status === 'passed') count.passed += 1;
  }
  return counts;
}
