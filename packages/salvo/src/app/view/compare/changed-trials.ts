import { setImmediate } from 'node:timers/promises';
import type { ComparedScenario } from '../../../run/compare/compare-runs.ts';
import type { RunRecord, TrialOutcome } from '../../../run/record/run-record.ts';
import type { Store } from '../../../store/store.ts';
import { canonicalJson } from '../../../text/json/canonical-json.ts';
import { placeOf, type TrialPlace } from '../page-hrefs.ts';

/** A trial of each run, to look at side by side. */
export interface ChangedPair {
  /** Null without data. */
  case: string | null;
  /** What became of it; null if the outcome is the same. */
  to: 'failed' | 'passed' | null;
  base: TrialPlace;
  next: TrialPlace;
}

type OutcomesOf = (run: RunRecord, scenarioIndex: number) => Promise<TrialOutcome[]>;

/** Each page is read at once from a file, and other requests wait for it. */
const PAGE = 500;

/** Reads the outcomes of a scenario once. */
export function createOutcomeReader(store: Pick<Store, 'trialOutcomes'>): OutcomesOf {
  const read = new Map<string, Promise<TrialOutcome[]>>();
  const all = async (runId: string, scenarioIndex: number) => {
    const outcomes: TrialOutcome[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await store.trialOutcomes(runId, { scenarioIndex, offset, limit: PAGE });
      outcomes.push(...page);
      if (page.length < PAGE) return outcomes;
      await setImmediate();
    }
  };
  return (run, scenarioIndex) => {
    const key = `${run.run_id} ${scenarioIndex}`;
    const found = read.get(key) ?? all(run.run_id, scenarioIndex);
    read.set(key, found);
    return found;
  };
}

interface Side {
  run: RunRecord;
  scenarioIndex: number;
}

const MOST_PAIRS = 50;

/** Of each case that flipped, a trial of both runs that shows it. Without data: trials of the same number that differ. */
export async function changedPairs(options: {
  outcomesOf: OutcomesOf;
  flipped: ComparedScenario['flipped'];
  base: Side;
  next: Side;
}): Promise<ChangedPair[]> {
  const { outcomesOf, flipped, base, next } = options;
  const [ofBase, ofNext] = [
    await outcomesOf(base.run, base.scenarioIndex),
    await outcomesOf(next.run, next.scenarioIndex),
  ];
  const [first] = ofBase;
  const place = (side: Side, trial: TrialOutcome) => placeOf({ ...trial, run_id: side.run.run_id });
  const pair = (before: TrialOutcome, now: TrialOutcome): ChangedPair => {
    const [a, b] = [before.status === 'passed', now.status === 'passed'];
    const to = a === b ? null : b ? 'passed' : 'failed';
    return { case: now.case, to, base: place(base, before), next: place(next, now) };
  };
  if (first?.case === null) {
    const partners = new Map(ofNext.filter(isScored).map((each) => [each.trial_number, each]));
    const pairs = ofBase.filter(isScored).flatMap((each) => {
      const partner = partners.get(each.trial_number);
      return partner ? [pair(each, partner)] : [];
    });
    const changed = pairs.filter(({ to }) => to !== null);
    return (changed.length > 0 ? changed.toSorted(failedFirst) : pairs.slice(0, 1)).slice(0, MOST_PAIRS);
  }
  const partnersOf = createPartners(ofBase, { base, next });
  const byCase = Map.groupBy(ofNext.filter(isScored), (each) => each.case);
  const pairOf = (name: string, to: 'failed' | 'passed' | null): ChangedPair[] => {
    const now = byCase.get(name) ?? [];
    const [sample] = now;
    const before = sample ? partnersOf(sample) : [];
    const passed = ({ status }: TrialOutcome) => status === 'passed';
    const from = before.find((each) => to === null || passed(each) === (to === 'failed')) ?? before[0];
    const into = now.find((each) => to === null || passed(each) === (to === 'passed')) ?? sample;
    return from && into ? [pair(from, into)] : [];
  };
  const changed = [
    ...flipped.to_failed.slice(0, MOST_PAIRS).flatMap((name) => pairOf(name, 'failed')),
    ...flipped.to_passed.slice(0, MOST_PAIRS).flatMap((name) => pairOf(name, 'passed')),
  ];
  const names = [...byCase.keys()].filter((name) => name !== null);
  return changed.length > 0 ? changed.slice(0, MOST_PAIRS) : names.slice(0, 1).flatMap((name) => pairOf(name, null));
}

/** A row without a name is called by its number, which changes when rows are added above it: its content decides. */
function createPartners(ofBase: readonly TrialOutcome[], { base, next }: { base: Side; next: Side }) {
  const byName = Map.groupBy(ofBase.filter(isScored), (each) => each.case);
  const byIndex = Map.groupBy(ofBase.filter(isScored), (each) => each.case_index);
  const rowsOf = ({ run, scenarioIndex }: Side) => run.scenarios[scenarioIndex]?.scenario.data ?? [];
  let indexes: Map<string, number> | undefined;
  return ({ case: name, case_index }: TrialOutcome): TrialOutcome[] => {
    if (!/^\d+$/.test(name ?? '')) return byName.get(name) ?? [];
    indexes ??= new Map(rowsOf(base).map((row, index) => [canonicalJson(row), index]));
    return byIndex.get(indexes.get(canonicalJson(rowsOf(next)[case_index] ?? null)) ?? -1) ?? [];
  };
}

function isScored({ status }: TrialOutcome): boolean {
  return status !== null && status !== 'unscored';
}

function failedFirst(a: ChangedPair, b: ChangedPair): number {
  return Number(a.to === 'passed') - Number(b.to === 'passed');
}
