import { setImmediate } from 'node:timers/promises';
import {
  overallSentence,
  scenarioEvidence,
  scenarioRemarks,
  togetherEvidence,
} from '../../../report/compare/compare-words.ts';
import type { ComparedScenario } from '../../../run/compare/compare-runs.ts';
import type { Conclusion, TogetherComparison } from '../../../run/compare/comparison.ts';
import { entryKey } from '../../../run/record/candidate-labels.ts';
import type { RunRecord } from '../../../run/record/run-record.ts';
import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { type NamedResults, ofModel, resultsBefore, resultsOf } from '../../compare/run-source.ts';
import { findRun } from '../../project/open-project.ts';
import { type ChangedPair, changedPairs, createOutcomeReader } from './changed-trials.ts';
import { compareBeside } from './compare-beside.ts';

/** Two or more runs, or models of runs. The first is what the others are compared with. */
export type CompareView = Awaited<ReturnType<typeof computeView>>;

export type ComparedRunView = CompareView['runs'][number];

export interface CompareRow {
  name: string;
  file: string;
  base_model: string;
  /** By run, without the first; null if it does not have the scenario. */
  others: (ComparedCell | null)[];
}

export type ComparedCell = ReturnType<typeof cellOf>;
export type TogetherCell = ReturnType<typeof togetherCell>;

const MOST_RUNS = 6;

/** `previous` as the first one is the run before the second. */
export async function compareView(store: Store, sources: readonly string[]): Promise<CompareView> {
  if (sources.length < 2 || sources.length > MOST_RUNS) {
    throw new SalvoError('REQUEST_INVALID', `Between two and ${MOST_RUNS} runs can be compared.`);
  }
  const [baseSource = '', ...rest] = sources;
  const others: FoundSource[] = [];
  for (const source of rest) others.push(await findSource(store, source));
  const [first] = others;
  const base =
    baseSource === 'previous' && first
      ? await resultsBefore(store, first.run, async (run) => ({ model: null, run }))
      : await findSource(store, baseSource);
  return await rememberedView(store, base, others);
}

const MOST_REMEMBERED = 20;
const remembered = new WeakMap<Store, Map<string, Promise<CompareView>>>();

/**
 * Remembers a view until one of its runs changes. Large runs take seconds, and those who ask at the same time share one
 * computation. Runs at work are computed each time: their trials change without a change of the run.
 */
async function rememberedView(store: Store, base: FoundSource, others: readonly FoundSource[]): Promise<CompareView> {
  const revisions = new Map((await store.runRevisions()).map((each) => [each.run_id, each]));
  const sources = [base, ...others].map(({ run, model }) => ({ model, state: revisions.get(run.run_id) }));
  const isChanging = sources.some(({ state }) => state === undefined || state.status === 'running');
  if (isChanging) return await computeView(store, base, others);
  const key = JSON.stringify(sources.map(({ model, state }) => [state?.run_id, model, state?.revision]));
  const ofStore = remembered.get(store) ?? new Map<string, Promise<CompareView>>();
  remembered.set(store, ofStore);
  const known = ofStore.get(key);
  if (known) return await known;
  const computed = computeView(store, base, others);
  ofStore.set(key, computed);
  computed.catch(() => ofStore.delete(key));
  const [oldest] = ofStore.keys();
  if (ofStore.size > MOST_REMEMBERED && oldest !== undefined) ofStore.delete(oldest);
  return await computed;
}

async function computeView(store: Store, foundBase: FoundSource, foundOthers: readonly FoundSource[]) {
  const base = await readSource(store, foundBase);
  const others: (typeof base)[] = [];
  for (const source of foundOthers) others.push(await readSource(store, source));
  const comparisons = await compareBeside({
    base: base.results.baseline,
    others: others.map(({ results }) => results.baseline),
  });
  const outcomesOf = createOutcomeReader(store);
  const rows = new Map<string, CompareRow>();
  for (const [position, { scenarios }] of comparisons.entries()) {
    const next = others[position];
    if (!next) continue;
    for (const scenario of scenarios) {
      const { name, file, base_model } = scenario;
      const key = JSON.stringify([file, name, scenario.base_adapter, base_model]);
      const row = rows.get(key) ?? { name, file, base_model, others: others.map(() => null) };
      rows.set(key, row);
      const pairs = await changedPairs({
        outcomesOf,
        flipped: scenario.flipped,
        base: sideOf(base.run, scenario, 'base'),
        next: sideOf(next.run, scenario, 'next'),
      });
      row.others[position] = cellOf(scenario, pairs);
    }
  }
  return {
    runs: [base, ...others].map(({ source, model, results: { baseline } }, index) => {
      const comparison = comparisons[index - 1];
      const { run_id, created_at } = baseline;
      return {
        // The source is as in the address: a run, or `RUN@MODEL` if one of several models or adapters was chosen.
        ...{ source, run_id, model, created_at, commit: baseline.commit },
        /** What came out, compared with the first run; null for the first. */
        sentence: comparison ? overallSentence(comparison) : null,
        conclusion: comparison?.conclusion ?? null,
        /** Scenarios that only the first run has, and only this one. */
        only_base: comparison?.only_base ?? [],
        only_next: comparison?.only_next ?? [],
      };
    }),
    /** One row for each scenario that the first run has in common with another, the largest drop first. */
    rows: [...rows.values()].toSorted((a, b) => rank(a) - rank(b)),
    /** All scenarios together, by run without the first; null with fewer than two that can be compared. */
    together: comparisons.map(({ together }) => together && togetherCell(together)),
  };
}

type FoundSource = Awaited<ReturnType<typeof findSource>>;

async function findSource(store: Store, source: string) {
  const at = source.indexOf('@');
  if (at === -1) return { model: null, run: await findRun(store, source) };
  return { model: source.slice(at + 1), run: await findRun(store, source.slice(0, at)) };
}

async function readSource(store: Store, { run, model }: FoundSource) {
  const read = await resultsOf({ trials: (runId) => withPauses(store.trials(runId)) }, run);
  const whole = { ...read, baseline: withCommit(read.baseline, run) };
  if (model === null) return { source: run.run_id, model, run, results: whole };
  return { source: `${run.run_id}@${model}`, model, run, results: ofModel(whole, model) };
}

const TRIALS_PER_PAUSE = 100;

/** A store that reads from a file never waits, so other requests would not be answered before the last trial. */
async function* withPauses<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let count = 0;
  for await (const item of items) {
    yield item;
    count += 1;
    if (count % TRIALS_PER_PAUSE === 0) await setImmediate();
  }
}

function withCommit(baseline: NamedResults['baseline'], { git }: RunRecord): NamedResults['baseline'] {
  return { ...baseline, commit: git && !git.dirty ? git.commit : null };
}

function sideOf(run: RunRecord, scenario: ComparedScenario, side: 'base' | 'next') {
  const { name, file } = scenario;
  const key = entryKey({ name, file, adapter: scenario[`${side}_adapter`], model: scenario[`${side}_model`] });
  const index = run.scenarios.findIndex((entry) => entryKey(entry) === key);
  // A file that was moved.
  const found = index === -1 ? run.scenarios.findIndex((entry) => entry.name === name) : index;
  return { run, scenarioIndex: found };
}

/** What a run has in the row of a scenario. `pairs` tell most about the change; the first trials if nothing changed. */
function cellOf(scenario: ComparedScenario, pairs: ChangedPair[]) {
  const { next_model: model, conclusion, base, next, difference } = scenario;
  return {
    // Both sides are of the cases that both have.
    ...{ model, conclusion, base, next, difference, pairs },
    /** In words, after the conclusion. */
    evidence: scenarioEvidence(scenario),
    // The cases that changed are in `pairs`.
    remarks: scenarioRemarks({ ...scenario, flipped: { to_failed: [], to_passed: [] } }),
  };
}

function togetherCell(together: TogetherComparison) {
  const { conclusion, scenarios, difference, base_pass_rate, next_pass_rate } = together;
  return { conclusion, scenarios, difference, base_pass_rate, next_pass_rate, evidence: togetherEvidence(together) };
}

const RANKS: Record<Conclusion, number> = {
  worse: 0,
  not_comparable: 1,
  too_few_trials: 2,
  no_evidence: 2,
  better: 4,
};

/** By its worst cell: what got worse first, then by the size of the drop. */
function rank({ others }: CompareRow): number {
  return Math.min(
    ...others.flatMap((cell) => (cell ? [10 * RANKS[cell.conclusion] + (cell.difference?.value ?? 0)] : [])),
  );
}
