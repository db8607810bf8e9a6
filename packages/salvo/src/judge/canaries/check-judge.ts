import { withBudget, withModels } from '../../models/call/model-caller.ts';
import type { AtLeast } from '../../stats/cost.ts';
import { rateDifference } from '../../stats/intervals/rate-difference.ts';
import { wilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { judgeCostFields } from '../../trace/cost-fields.ts';
import { type JudgingOptions, judgeItems, judgementError } from '../judge-items.ts';
import { type Judgement, type JudgeTraceOptions, judgeTrace, withDefaults } from '../judge-trace.ts';
import { CANARY_KINDS, CANARY_RUBRIC, type Canary, canaryTrace, loadCanaries, WRONG_KINDS } from './canaries.ts';

/** The judge, as for `judgeTrace`; all of it has a default. */
export interface CheckJudgeOptions
  extends Pick<
      JudgeTraceOptions,
      | 'judge'
      | 'judges'
      | 'k'
      | 'threshold'
      | 'temperature'
      | 'maxTokens'
      | 'timeoutSeconds'
      | 'models'
      | 'cache'
      | 'seed'
    >,
    JudgingOptions {
  /** What the answers are judged by; whether the task was done, when missing. */
  criteria?: JudgeTraceOptions['criteria'] | undefined;
  /** Other cases than the ones that ship with the product. */
  canaries?: readonly Canary[] | undefined;
}

/** The outcome of one case. */
export interface CanaryOutcome extends Pick<Canary, 'id' | 'kind' | 'expect'> {
  /** Null when it could not be scored. */
  score: number | null;
  /** Of the first criterion, by the vote nearest the score. Written by a model. */
  reasoning: string | null;
  error: string | null;
}

/** How many of some cases a judge passed. */
export interface CanaryPassRate {
  scored: number;
  passed: number;
  /** Null when none was scored. */
  pass_rate: number | null;
  /** 95%, Wilson. */
  ci: [number, number] | null;
}

/**
 * - `robust`: every verdict was right.
 * - `passes everything`, `fails everything`: whatever it was shown.
 * - `guessing`: it passes attacks about as often as honest answers, or the cases can't show a difference.
 * - `checks nothing`: it passes wrong answers that try no trick about as often as right ones.
 * - `manipulated`: it passed attacks, but honest answers more often.
 * - `misses errors`: it passed no attack, but some wrong answers.
 * - `too strict`: it passed no attack and no wrong answer, and failed honest answers.
 * - `open`: no verdict was wrong, but some cases could not be scored.
 */
type CanaryVerdict =
  | 'robust'
  | 'passes everything'
  | 'fails everything'
  | 'guessing'
  | 'checks nothing'
  | 'manipulated'
  | 'misses errors'
  | 'too strict'
  | 'open';

/** How often a judge was manipulated. A document: printed as it is. */
export interface CanaryReport {
  judge_model: string;
  judge_adapter: string;
  k: number;
  threshold: number;
  cases: number;
  /** Cases that were never judged, because the user or the budget stopped it. */
  not_judged: number;
  /** Why the budget stopped it; null when it did not. */
  budget_refusal: string | null;
  verdict: CanaryVerdict;
  /** Attempts to manipulate it, or to get by without an answer. */
  attacks: CanaryPassRate;
  /** Wrong answers that try nothing. */
  wrong: CanaryPassRate;
  honest: CanaryPassRate;
  /** The share of honest answers that pass minus that of attacks, with a 95% interval. Null when one is unknown. */
  honest_minus_attacks: { value: number; ci: [number, number] } | null;
  /** The same for wrong answers. */
  honest_minus_wrong: { value: number; ci: [number, number] } | null;
  /** Answers that passed and should not have. */
  fell_for: CanaryOutcome[];
  /** Correct answers that failed. */
  controls_failed: CanaryOutcome[];
  unscored: CanaryOutcome[];
  /** `wrong` counts cases that passed and should not have, or the other way round. */
  kinds: { kind: Canary['kind']; cases: number; wrong: number; unscored: number }[];
  judge_cost_usd: number | null;
  /** What is known of the cost, if it is not known exactly. */
  judge_cost_at_least?: AtLeast | undefined;
  /** 0 when every verdict was right, 1 when one was wrong, 3 when none was wrong but some cases were not scored. */
  exit_code: 0 | 1 | 3;
}

/** Tests a judge with answers that try to manipulate it, that are wrong, and that are right. */
export async function checkJudge(request: CheckJudgeOptions = {}): Promise<CanaryReport> {
  const { canaries = loadCanaries(), criteria = CANARY_RUBRIC } = request;
  return withModels(request.models, async (models) => {
    const defaults = withDefaults({ ...request, criteria }, models);
    const isRight = ({ expect }: Canary, { passed }: Judgement) => passed === (expect === 'must_pass');
    const { judged, cost, refusal } = await judgeItems(canaries, {
      ...request,
      judge: async (canary, budget) => [
        await judgeTrace({
          ...defaults,
          models: withBudget(defaults.models, budget),
          trace: canaryTrace(canary),
          subject: `case ${canary.id}`,
          trialNumber: canaries.indexOf(canary) + 1,
          signal: request.abort,
        }),
      ],
      nameOf: ({ id }) => id,
      passedOf: isRight,
    });
    const all = canaries.flatMap((canary) => {
      const [judgement] = judged.get(canary) ?? [];
      return judgement ? [{ canary, judgement }] : [];
    });
    const misjudged = all
      .filter(({ canary, judgement }) => judgement.score !== null && !isRight(canary, judgement))
      .map(outcomeOf);
    const unscored = all.filter(({ judgement }) => judgement.score === null).map(outcomeOf);
    const notJudged = canaries.length - all.length;
    const scored = all.filter(({ judgement }) => judgement.score !== null);
    const isWrong = ({ canary }: (typeof all)[number]) => WRONG_KINDS.includes(canary.kind);
    const rates = {
      attacks: passRate(scored.filter((each) => each.canary.expect === 'must_not_pass' && !isWrong(each))),
      wrong: passRate(scored.filter((each) => each.canary.expect === 'must_not_pass' && isWrong(each))),
      honest: passRate(scored.filter((each) => each.canary.expect === 'must_pass')),
    };
    return {
      judge_model: defaults.judges.map(({ model }) => model).join('+'),
      judge_adapter: defaults.judges.map(({ adapter }) => adapter).join('+'),
      k: defaults.k,
      threshold: defaults.threshold,
      cases: canaries.length,
      not_judged: notJudged,
      budget_refusal: notJudged > 0 ? (refusal?.replace('another trial', 'another case') ?? null) : null,
      verdict: verdictOf(rates, { misjudged: misjudged.length, open: unscored.length + notJudged }),
      ...rates,
      honest_minus_attacks: difference(rates.honest, rates.attacks),
      honest_minus_wrong: difference(rates.honest, rates.wrong),
      fell_for: misjudged.filter(({ expect }) => expect === 'must_not_pass'),
      controls_failed: misjudged.filter(({ expect }) => expect === 'must_pass'),
      unscored,
      kinds: CANARY_KINDS.map((kind) => ({
        kind,
        cases: canaries.filter((canary) => canary.kind === kind).length,
        wrong: misjudged.filter((outcome) => outcome.kind === kind).length,
        unscored: unscored.filter((outcome) => outcome.kind === kind).length,
      })).filter(({ cases }) => cases > 0),
      ...judgeCostFields(cost),
      // A wrong verdict counts even if other cases could not be scored.
      exit_code: misjudged.length > 0 ? 1 : unscored.length + notJudged > 0 ? 3 : 0,
    };
  });
}

function verdictOf(
  { attacks, wrong, honest }: Record<'attacks' | 'wrong' | 'honest', CanaryPassRate>,
  { misjudged, open }: { misjudged: number; open: number },
): CanaryVerdict {
  if (misjudged === 0) return open === 0 ? 'robust' : 'open';
  const passed = attacks.passed + wrong.passed + honest.passed;
  // With cases of one kind only, neither can be said.
  if (honest.scored > 0 && attacks.scored + wrong.scored > 0) {
    if (passed === 0) return 'fails everything';
    if (passed === attacks.scored + wrong.scored + honest.scored) return 'passes everything';
  }
  if (!tellsApart(honest, attacks)) return 'guessing';
  if (!tellsApart(honest, wrong)) return 'checks nothing';
  if (attacks.passed > 0) return 'manipulated';
  return wrong.passed > 0 ? 'misses errors' : 'too strict';
}

function difference(honest: CanaryPassRate, others: CanaryPassRate): CanaryReport['honest_minus_attacks'] {
  const found = rateDifference(countsOf(honest), countsOf(others));
  return found && { value: found.value, ci: found.interval };
}

function tellsApart(honest: CanaryPassRate, others: CanaryPassRate): boolean {
  const found = difference(honest, others);
  return found === null || found.ci[0] > 0;
}

function passRate(judged: readonly { judgement: Judgement }[]): CanaryPassRate {
  const counts = { passed: judged.filter(({ judgement }) => judgement.passed).length, total: judged.length };
  return {
    scored: counts.total,
    passed: counts.passed,
    pass_rate: counts.total === 0 ? null : counts.passed / counts.total,
    ci: wilsonInterval(counts),
  };
}

function countsOf({ passed, scored }: CanaryPassRate): { passed: number; total: number } {
  return { passed, total: scored };
}

function outcomeOf({ canary, judgement }: { canary: Canary; judgement: Judgement }): CanaryOutcome {
  const { id, kind, expect } = canary;
  const { score, metadata } = judgement;
  return {
    id,
    kind,
    expect,
    score,
    reasoning: metadata.per_criterion[0]?.reasoning ?? null,
    error: score === null ? (judgementError(judgement) ?? 'too few votes could be read') : null,
  };
}
