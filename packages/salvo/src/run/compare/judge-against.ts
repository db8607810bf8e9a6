import { z } from 'zod';
import { baselineSummarySchema } from '../record/baseline-summary.ts';
import { entryKey } from '../record/candidate-labels.ts';
import type { RunRecord, RunScenario } from '../record/run-record.ts';
import { hasQualityGate } from '../verdict/gates.ts';
import { answerOf, DEFAULT_MARGIN, observedRule, trialsToDecide } from './against-rule.ts';
import type { Baseline } from './baseline.ts';
import {
  type ComparedScenario,
  comparedEntry,
  compareResults,
  type RunComparison,
  runComparisonSchema,
} from './compare-runs.ts';
import type { Gate } from './compare-together.ts';
import { observedRisk } from './observed-risk.ts';
import { type UntilOutcome, untilOutcomeSchema } from './until/until-decided.ts';

/**
 * Why a scenario fails by a baseline: it is worse; or all scenarios together are, and this is one that fell; or no test
 * decides, and what was observed does; or a case failed that the baseline does not have; or no trial of the run passed.
 * With `--undecided fail`, what no test decides is not scored.
 */
const failureSchema = z.enum(['worse', 'together', 'observed', 'new_cases', 'nothing_passed', 'undecided']);

/** A scenario of the run, and what the baseline means for it. */
const againstScenarioSchema = z.object({
  ...baselineSummarySchema.pick({ answer: true, trials_to_decide: true }).shape,
  name: z.string(),
  file: z.string(),
  adapter: z.string(),
  model: z.string(),
  /** Why it cannot be compared; empty if it can. */
  because: z.array(z.string()),
  /** Its minimums decide whether it passes, unless it is worse: somebody set them, or the baseline cannot judge it. */
  by_own_rule: z.boolean(),
  /** Cases that the baseline does not have, or with another content; and those of them that failed. */
  new_cases: z.array(z.string()),
  new_cases_failed: z.array(z.string()),
  why: failureSchema.nullable(),
});

/** What a run's comparison with a baseline means for its verdict. */
export const againstOutcomeSchema = z.object({
  /** How the user called the baseline. */
  source: z.string(),
  /** The drop of a pass rate that has to be ruled out: `--max-drop`, or 10 points. */
  margin: z.number(),
  /** Which *worse* fails the run; missing in documents of earlier versions: either. */
  gate: z.enum(['overall', 'each', 'either']).optional(),
  comparison: runComparisonSchema,
  /** How far it is decided, if the run goes on until it is (`--until decided`). */
  until: untilOutcomeSchema.optional(),
  /** In the order of the run, without those that did not run or are in quarantine. */
  scenarios: z.array(againstScenarioSchema),
  /** The undecided scenarios together; null unless what was observed makes the run fail. */
  observed: baselineSummarySchema.shape.observed,
  /** Of the comparison alone: 0 passed, 1 failed, 3 undecided although that was not allowed. */
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(3)]),
});

export type AgainstFailure = z.infer<typeof failureSchema>;
export type AgainstScenario = z.infer<typeof againstScenarioSchema>;
export type AgainstOutcome = z.infer<typeof againstOutcomeSchema>;

/**
 * Judges a finished run by a baseline. What the baseline does not have, or measured differently, is judged by its own
 * rule, as without a baseline. So are scenarios with a minimum that somebody set, unless they are worse.
 */
export function judgeAgainst(
  base: Baseline,
  next: Baseline,
  against: NonNullable<RunRecord['options']['against']>,
  run: Pick<RunRecord, 'scenarios' | 'options'>,
  /** Of a run that goes on until it is decided. */
  sequential?: { comparison: RunComparison; until: UntilOutcome },
): AgainstOutcome {
  const { source, max_drop, undecided = 'observed' } = against;
  const comparison =
    sequential?.comparison ?? compareResults(base, next, { sameTask: true, gate: against.gate ?? 'either' });
  // One scenario is all of them.
  const gate: Gate = comparison.together === null ? 'either' : (against.gate ?? 'either');
  const margin = max_drop ?? DEFAULT_MARGIN;
  const answered = run.scenarios.flatMap((each, index) => {
    if (!isJudged(each)) return [];
    const found = comparison.scenarios.find((other) => comparedEntry(other) === entryKey(each));
    return [{ found, scenario: answerFor(each, found, { maxDrop: max_drop, hasGate: isGated(run, index) }) }];
  });
  const isWorseTogether =
    gate !== 'each' &&
    comparison.together !== null &&
    answerOf(comparison.together, max_drop) === 'worse' &&
    (gate === 'overall' || !answered.some(({ scenario }) => scenario.answer === 'worse'));
  const byObservation = undecided === 'observed' && !isWorseTogether ? observe(answered, margin) : null;
  const passedNone = run.scenarios.every((each) => !isJudged(each) || each.summary?.trials_passed === 0);
  const scenarios = answered.map(({ scenario, found }) => ({
    ...scenario,
    why: whyFailed(scenario, found, { gate, isWorseTogether, byObservation, undecided, passedNone }),
  }));
  const isFailed = scenarios.some(({ why }) => why !== null && why !== 'undecided');
  return {
    ...{ source, margin, gate: against.gate ?? 'either', comparison, scenarios },
    ...(sequential && { until: sequential.until }),
    observed: byObservation?.summary ?? null,
    exit_code: isFailed ? 1 : scenarios.some(({ why }) => why !== null) ? 3 : 0,
  };
}

type Answered = { found: ComparedScenario | undefined; scenario: AgainstScenario };

function isJudged({ summary }: RunScenario): boolean {
  return summary !== null && summary.trials_total > 0 && !['SKIPPED', 'QUARANTINED'].includes(summary.verdict);
}

/** Runs of an earlier version have a minimum of 0 where the baseline was to judge. Nobody set it. */
function isGated({ options, scenarios }: Pick<RunRecord, 'scenarios' | 'options'>, index: number): boolean {
  const { min_pass_rate, ...scenario } = scenarios[index]?.scenario ?? {};
  const isOfBaseline = options.against?.instead_of_gates?.includes(index) ?? false;
  return hasQualityGate(options, isOfBaseline ? scenario : { ...scenario, min_pass_rate });
}

function answerFor(
  { name, file, adapter, model, summary }: RunScenario,
  found: ComparedScenario | undefined,
  { maxDrop, hasGate }: { maxDrop: number | null; hasGate: boolean },
): AgainstScenario {
  const answer = found ? answerOf(found, maxDrop) : 'new';
  const isCompared = answer !== 'new' && answer !== 'not_comparable';
  const isNew = new Set(isCompared ? [...(found?.cases.only_next ?? []), ...(found?.changed_cases ?? [])] : []);
  const failed = summary?.cases.filter(({ verdict }) => ['FAIL', 'PARTIAL', 'HARD_FAIL'].includes(verdict)) ?? [];
  const trials = summary?.identical_trials ? 0 : (found?.next.trials_scored ?? 0);
  return {
    ...{ name, file, adapter, model, answer, why: null },
    because: isCompared ? [] : whyNotCompared(found),
    by_own_rule: hasGate || !isCompared,
    new_cases: [...isNew],
    new_cases_failed: failed.flatMap((each) => (isNew.has(each.case) ? [each.case] : [])),
    trials_to_decide:
      answer === 'undecided' && found && trials > 0
        ? trialsToDecide({ difference: found.difference, trials }, maxDrop ?? DEFAULT_MARGIN)
        : null,
  };
}

function whyNotCompared(found: ComparedScenario | undefined): string[] {
  if (!found) return ['the baseline does not have it'];
  if (found.not_comparable_because.length > 0) return found.not_comparable_because;
  return ['no case was scored in both runs'];
}

type Observation = NonNullable<ReturnType<typeof observe>>;

/** Judges the undecided scenarios without minimums of their own, all of them together. Null if they pass. */
function observe(answered: readonly Answered[], margin: number) {
  const undecided = answered.flatMap(({ found, scenario }) =>
    found && scenario.answer === 'undecided' && !scenario.by_own_rule ? [{ found, scenario }] : [],
  );
  const scenarios = undecided.map(({ found: { base, next, cases } }) => ({
    base: { passed: base.trials_passed, total: base.trials_scored, rate: base.pass_rate },
    next: { passed: next.trials_passed, total: next.trials_scored, rate: next.pass_rate },
    cases: Math.max(1, cases.compared),
  }));
  const { why, base_rate, next_rate, died } = observedRule({ scenarios, margin });
  if (why === null || base_rate === null || next_rate === null) return null;
  const dead = new Set(died);
  const failed = undecided.filter(({ found }, index) =>
    why === 'mean_fell' ? (found.difference?.value ?? 0) < 0 : dead.has(index),
  );
  return {
    summary: {
      ...{ scenarios: undecided.length, before: base_rate, now: next_rate, why },
      ...observedRisk({ scenarios, margin }),
    },
    failed: new Set(failed.map(({ scenario }) => scenario)),
  };
}

function whyFailed(
  scenario: AgainstScenario,
  found: ComparedScenario | undefined,
  rules: {
    gate: Gate;
    isWorseTogether: boolean;
    byObservation: Observation | null;
    undecided: 'observed' | 'fail';
    passedNone: boolean;
  },
): AgainstFailure | null {
  const { answer, by_own_rule, new_cases_failed } = scenario;
  if (answer === 'worse' && rules.gate !== 'overall') return 'worse';
  if (rules.isWorseTogether && (found?.difference?.value ?? 0) < 0) return 'together';
  if (!by_own_rule) {
    if (new_cases_failed.length > 0) return 'new_cases';
    if (rules.byObservation?.failed.has(scenario)) return 'observed';
  }
  if (rules.passedNone) return 'nothing_passed';
  return answer === 'undecided' && !by_own_rule && rules.undecided === 'fail' ? 'undecided' : null;
}
