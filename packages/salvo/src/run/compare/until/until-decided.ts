import { z } from 'zod';
import { inLookOrder } from '../../record/planned-cases.ts';
import { type AgainstAnswer, answerOf, DEFAULT_MARGIN } from '../against-rule.ts';
import type { Baseline, BaselineCase, BaselineScenario } from '../baseline.ts';
import { outcomesOf } from '../baseline.ts';
import { type ComparedScenario, compareResults, type RunComparison } from '../compare-runs.ts';
import { ALPHA } from '../compare-scenario.ts';
import type { Gate } from '../compare-together.ts';
import { casesOf } from '../compared-cases.ts';
import type { Difference, TogetherComparison } from '../comparison.ts';
import { pairedScenarios } from '../paired-scenarios.ts';
import { yardstickDifferences } from '../yardstick.ts';
import { fixedTrials } from './fixed-trials.ts';
import { type Look, looksFor } from './looks.ts';

/** How far a comparison is that goes on until it is decided. */
export const untilOutcomeSchema = z.object({
  /** Null: undecided so far. */
  decided: z.enum(['worse', 'better', 'not_worse']).nullable(),
  /** At which trials of each case the run was looked at, and the p that would have decided. `cases`: only the first of them. */
  looks: z.array(z.object({ trials: z.int(), cases: z.int().nullable(), alpha: z.number() })),
  /** When it is looked at next; null if it is decided. */
  next_look: z.object({ trials: z.int(), cases: z.int().nullable() }).nullable(),
  /** The trials that were compared at the last look, and those of them that earlier runs had. */
  trials: z.int(),
  earlier_trials: z.int(),
  /** How many trials in all a fixed number would be that shows a drop by the margin in four of five runs; null: none does. */
  fixed_trials: z.int().nullable(),
  /** How many comparisons of this kind were made with this baseline, this one included. */
  agents: z.int(),
});

export type UntilOutcome = z.infer<typeof untilOutcomeSchema>;

export interface UntilRules {
  /** How many trials of each case were planned when the comparison began. */
  planned: number;
  gate: Gate;
  maxDrop: number | null;
}

/** Comparisons of looks by the outcomes that were seen. What they say of costs and times is of their first computation. */
export type KnownLooks = Map<string, RunComparison>;

type Decision = NonNullable<UntilOutcome['decided']>;

/**
 * Compares a run with its baseline at one look after the other, as far as its trials go, until one decides. The comparison
 * is that of the last look. Its p values are corrected for all looks, and its intervals hold at all of them.
 * `next` has all cases that are planned, also without trials.
 */
export function compareUntilDecided(
  base: Baseline,
  next: Baseline,
  rules: UntilRules,
  /** Of the same baseline and rules. */
  known: KnownLooks = new Map(),
): {
  comparison: RunComparison;
  until: Omit<UntilOutcome, 'earlier_trials' | 'agents'>;
  /** How many trials there are at the next look; 0 if there is none. */
  nextTrials: number;
} {
  const pairs = comparedPairs(base, next);
  const settled = new Map<ComparedScenario, string>();
  const looks: UntilOutcome['looks'] = [];
  const fixed = fixedTrials(
    pairs.map(({ cases }) => cases.map(({ base: each }) => outcomesOf(each))),
    rules.maxDrop ?? DEFAULT_MARGIN,
  );
  const result = (comparison: RunComparison, decided: Decision | null, next_look: Look | null, trials: number) => ({
    comparison,
    until: { decided, looks, trials, fixed_trials: fixed, next_look: next_look && placeOf(next_look) },
    nextTrials: next_look ? trialsOf(pairs, next_look, new Set(settled.values())) : 0,
  });
  let last = compareResults(base, next, { sameTask: true, alpha: NOTHING, gate: rules.gate });
  let trials = 0;
  for (const look of looksFor(
    pairs.map(({ cases }) => cases.map(baseTrials)),
    rules.planned,
    ALPHA,
  )) {
    const done = new Set(settled.values());
    const active = pairs.filter(({ key }) => !done.has(key));
    if (!active.every((pair) => isReached(pair, look))) return result(last, null, look, trials);
    const seen = active.map((pair) => seenAt(pair, look));
    const seenResults = JSON.stringify([look, seen.map((each) => each.next.cases)]);
    const found =
      known.get(seenResults) ??
      compareResults(
        { ...base, scenarios: seen.map((each) => each.base) },
        { ...next, scenarios: seen.map((each) => each.next) },
        { sameTask: true, alpha: look.alpha, gate: rules.gate },
      );
    known.set(seenResults, found);
    last = withSettled(
      joinedLooks(atEveryLook(found, look.alpha), looks.length > 0 ? last : null),
      [...settled.keys()],
      last,
    );
    looks.push(look);
    trials = trialsOf(pairs, look, done);
    const decided = decisionOf(last, rules, look.cases === null);
    if (decided) return result(last, decided, null, trials);
    if (rules.gate !== 'each' || look.cases !== null) continue;
    for (const each of last.scenarios) if (isAnswered(each, rules)) settled.set(each, keyOf(each));
  }
  return result(last, null, null, trials);
}

/** Below any p: nothing is decided before the first look. */
const NOTHING = 1e-12;

interface ComparedPair {
  key: string;
  base: BaselineScenario;
  next: BaselineScenario;
  /** Cases that both have, in the order in which they run. */
  cases: { base: BaselineCase; next: BaselineCase }[];
}

/** What both results have. What was measured differently is no part of it. */
function comparedPairs(base: Baseline, next: Baseline): ComparedPair[] {
  return pairedScenarios(base.scenarios, next.scenarios).pairs.flatMap((pair) => {
    const key = keyOf({ ...pair.next, next_adapter: pair.next.adapter, next_model: pair.next.model });
    const { keyed } = casesOf(pair);
    const before = new Map(keyed.base.map((each) => [each.key, each.each]));
    const cases = keyed.next.flatMap(({ key: name, each }) => {
      const partner = before.get(name);
      return partner && outcomesOf(partner).scored > 0 ? [{ base: partner, next: each }] : [];
    });
    const { measure, task } = yardstickDifferences(pair.base.yardstick, pair.next.yardstick);
    if (measure.length + task.length > 0 || cases.length === 0) return [];
    return [{ ...pair, key, cases: inLookOrder(cases, (each) => each.next.case) }];
  });
}

function keyOf(each: Pick<ComparedScenario, 'name' | 'file' | 'next_adapter' | 'next_model'>): string {
  return [each.file, each.name, each.next_adapter, each.next_model].join('\0');
}

function baseTrials({ base }: { base: BaselineCase }): number {
  return outcomesOf(base).scored;
}

/** How many trials a case has without a gap. */
function performed({ trials }: BaselineCase): number {
  const gap = trials.indexOf('.');
  return gap === -1 ? trials.length : gap;
}

function isReached({ cases }: ComparedPair, look: Look): boolean {
  return cases.slice(0, look.cases ?? cases.length).every(({ next }) => performed(next) >= look.trials);
}

/** A pair with the trials of a look. */
function seenAt({ base, next, cases }: ComparedPair, { trials, cases: first }: Look) {
  const seen = cases.slice(0, first ?? cases.length);
  return {
    base: { ...base, cases: seen.map((each) => each.base) },
    next: {
      ...next,
      cases: seen.map(({ next: each }) => ({
        ...each,
        trials: each.trials.slice(0, trials),
        ...(each.scores && { scores: each.scores.slice(0, trials) }),
      })),
    },
  };
}

function trialsOf(pairs: readonly ComparedPair[], { trials, cases }: Look, settled: ReadonlySet<string>): number {
  return pairs.reduce((sum, pair) => {
    if (settled.has(pair.key)) return sum + pair.cases.reduce((all, { next }) => all + performed(next), 0);
    return sum + trials * Math.min(pair.cases.length, cases ?? Infinity);
  }, 0);
}

function placeOf({ trials, cases }: Look): { trials: number; cases: number | null } {
  return { trials, cases };
}

/** The comparison of one look as one of all looks: p is below 0.05 exactly if it is below the part of this look. */
function atEveryLook(comparison: RunComparison, alpha: number): RunComparison {
  const scaled = <P extends number | null>(p: P) => (p === null ? p : Math.min(1, (p * ALPHA) / alpha)) as P;
  const corrected = <Each extends Pick<TogetherComparison, 'p' | 'p_holm' | 'lowest_p'> | ComparedScenario>(
    each: Each,
  ) => ({
    ...each,
    p: scaled(each.p),
    p_holm: scaled(each.p_holm),
    lowest_p: scaled(each.lowest_p),
  });
  return {
    ...comparison,
    together: comparison.together && corrected(comparison.together),
    // A mean score has no part of the error rate of a look, and how many trials are needed is not known in advance.
    scenarios: comparison.scenarios.map((each) => ({
      ...corrected(each),
      ...{ score: null, trials_needed: null, cases_needed: null },
    })),
  };
}

/** All intervals hold at once, so what an earlier look has ruled out stays ruled out. */
function joinedLooks(now: RunComparison, before: RunComparison | null): RunComparison {
  if (!before) return now;
  const earlier = new Map(before.scenarios.map((each) => [keyOf(each), each.difference]));
  const joined = (difference: Difference, then: Difference | null | undefined): Difference => {
    const [ours, theirs] = [difference.interval, then?.interval];
    if (!ours || !theirs) return difference;
    const low = Math.min(difference.value, Math.max(ours[0], theirs[0]));
    return { ...difference, interval: [low, Math.max(difference.value, Math.min(ours[1], theirs[1]))] };
  };
  return {
    ...now,
    together: now.together && {
      ...now.together,
      difference: joined(now.together.difference, before.together?.difference),
    },
    scenarios: now.scenarios.map((each) => ({
      ...each,
      difference: each.difference && joined(each.difference, earlier.get(keyOf(each))),
    })),
  };
}

/** Scenarios that were answered at an earlier look keep what that look said. */
function withSettled(
  comparison: RunComparison,
  settled: readonly ComparedScenario[],
  before: RunComparison,
): RunComparison {
  if (settled.length === 0) return comparison;
  return { ...comparison, scenarios: [...comparison.scenarios, ...settled], together: before.together };
}

function isAnswered(each: ComparedScenario | TogetherComparison, { maxDrop }: UntilRules): boolean {
  return each.conclusion === 'better' || answerOf(each, maxDrop) !== 'undecided';
}

/** The intervals of a few first cases are too rough to rule out a drop: then only *worse* and *better* are decided. */
function decisionOf({ scenarios, together }: RunComparison, rules: UntilRules, isWhole: boolean): Decision | null {
  const answer = (each: ComparedScenario | TogetherComparison): AgainstAnswer => answerOf(each, rules.maxDrop);
  const compared = scenarios.filter(({ conclusion }) => conclusion !== 'not_comparable');
  const overall = together ?? compared[0];
  if (!overall) return null;
  if (rules.gate !== 'each' && answer(overall) === 'worse') return 'worse';
  if (rules.gate !== 'overall' && compared.some((each) => answer(each) === 'worse')) return 'worse';
  const asked = rules.gate === 'each' ? compared : [overall];
  if (asked.every(({ conclusion }) => conclusion === 'better')) return 'better';
  return isWhole && asked.every((each) => isAnswered(each, rules)) ? 'not_worse' : null;
}
