import { FEW_CLUSTERS } from '../../stats/intervals/cluster-intervals.ts';
import { wilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { studentQuantile } from '../../stats/normal.ts';
import { logChoose } from '../../stats/significance/two-sample-tests.ts';
import { type Design, growthFor, isMeanDetectable } from '../compare/detectable-difference.ts';
import type { PlanAnswer, Question, TrialFacts } from './plan.ts';

/** Nothing is known: a pass rate of one half needs the most trials, and cases may be easy or hard. */
export const WORST_CASE: TrialFacts = { pass_rate: 0.5, within_cases: 0.25, between_cases: 0.25 };

const ALPHA = 0.05;
/** More trials of one case are no plan. */
const MOST_TRIALS = 10_000;

interface PlannedScenario {
  facts: TrialFacts;
  cases: number;
  /** How many trials a case has now. */
  trials: number;
  /** How many scenarios are compared at once. They share 5% errors, with all of them together. */
  scenarios: number;
  /** The agent gives the same answer in every trial of a case. */
  isOneDraw?: boolean;
}

/** How many trials a question needs. */
export function planScenario(
  question: Question,
  { facts, cases, trials, scenarios, isOneDraw = false }: PlannedScenario,
): PlanAnswer {
  const enough =
    question.kind === 'effect'
      ? (trialsEach: number, units: number) =>
          showsEffect(question, { facts, trialsEach, units, among: testsAmong(scenarios) })
      : (trialsEach: number, units: number) => halfWidth(facts, { trialsEach, units }) <= question.size;
  const isOne = isOneDraw && (question.kind === 'precision' || staysOneDraw(cases));
  const each = isOne ? 1 : trials;
  const perCase = smallest((trialsEach) => enough(trialsEach, cases), isOne ? 1 : MOST_TRIALS);
  const casesNeeded =
    perCase === null ? smallest((units) => enough(each, Math.max(units, FEW_CLUSTERS)), MOST_TRIALS) : null;
  return {
    question,
    trials_per_case: perCase,
    cases_needed: casesNeeded === null ? null : Math.max(casesNeeded, FEW_CLUSTERS),
    trials_each: each,
  };
}

/**
 * Whether trials that are copies of each other stay so if the pass rate changes. With many cases, some may change for
 * good. With a few, a small change is one within a case: then its answers vary, and a comparison counts all trials.
 */
function staysOneDraw(cases: number): boolean {
  return cases >= FEW_CLUSTERS;
}

/** By the same formula as `smallest_detectable` of a comparison. */
function showsEffect(
  { size, power }: { size: number; power: number },
  { facts, trialsEach, units, among }: { facts: TrialFacts; trialsEach: number; units: number; among: number },
): boolean {
  return growthFor(designOf(facts, { trialsEach, units }), size, ALPHA / among, power) <= 1;
}

function designOf(
  { pass_rate: rate, within_cases: within }: TrialFacts,
  { trialsEach, units }: { trialsEach: number; units: number },
): Design {
  return units < FEW_CLUSTERS
    ? { paired: false, base: units * trialsEach, next: units * trialsEach, rate }
    : { paired: true, units, variance: (2 * within + 0.5 / units) / trialsEach, trialsEach, rate };
}

/** Of several scenarios, half of the error rate is for all of them together. */
function testsAmong(scenarios: number): number {
  return scenarios < 2 ? 1 : 2 * scenarios;
}

/**
 * How many trials of each case show a change by which all scenarios fall or rise, in all of them together; null if no
 * number does.
 */
export function planTogether(
  { size, power }: { size: number; power: number },
  scenarios: readonly Pick<PlannedScenario, 'facts' | 'cases' | 'isOneDraw'>[],
): number | null {
  const alpha = ALPHA / 2;
  return smallest((trials) => {
    const designs = scenarios.map(({ facts, cases, isOneDraw = false }) =>
      designOf(facts, { trialsEach: isOneDraw && staysOneDraw(cases) ? 1 : trials, units: cases }),
    );
    const lowest = designs.reduce((sum, design) => sum + logOfLowestP(design), 0);
    return Math.log(2) + lowest < Math.log(alpha) && isMeanDetectable(designs, size, alpha, power);
  }, MOST_TRIALS);
}

/** Of the most extreme outcome in one direction. */
function logOfLowestP(design: Design): number {
  return design.paired ? -design.units * Math.log(2) : -logChoose(design.base + design.next, design.base);
}

/** How far a 95% interval of the pass rate reaches. Cases stand for others like them, so they count as drawn, too. */
function halfWidth(
  { pass_rate: rate, within_cases, between_cases }: TrialFacts,
  { trialsEach, units }: { trialsEach: number; units: number },
): number {
  if (units < 2) {
    const [low, high] = wilsonInterval({ passed: rate * trialsEach, total: trialsEach }) ?? [0, 1];
    return (high - low) / 2;
  }
  return studentQuantile(units - 1) * Math.sqrt((between_cases + within_cases / trialsEach) / units);
}

/** The smallest whole number from 1 that is enough, if larger ones are enough, too; null if `most` is not. */
function smallest(isEnough: (size: number) => boolean, most: number): number | null {
  if (!isEnough(most)) return null;
  let [low, high] = [0, most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
