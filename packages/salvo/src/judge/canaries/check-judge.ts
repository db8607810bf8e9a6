import { z } from 'zod';
import { withBudget, withModels } from '../../models/call/model-caller.ts';
import { rateDifference } from '../../stats/intervals/rate-difference.ts';
import { wilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { atLeastSchema, judgeCostFields } from '../../trace/cost-fields.ts';
import { type JudgingOptions, judgeItems, judgementError } from '../judge-items.ts';
import { type Judgement, type JudgeTraceOptions, judgeTrace, withDefaults } from '../judge-trace.ts';
import { CANARY_KINDS, CANARY_RUBRIC, type Canary, canaryTrace, loadCanaries, WRONG_KINDS } from './canaries.ts';

type AskedJudge = Pick<JudgeTraceOptions, 'judge' | 'judges' | 'models' | 'cache' | 'seed' | JudgeNumber>;
type JudgeNumber = 'k' | 'threshold' | 'temperature' | 'maxTokens' | 'timeoutSeconds';

/** The judge, as for `judgeTrace`; all of it has a default. */
export interface CheckJudgeOptions extends AskedJudge, JudgingOptions {
  /** What the answers are judged by; whether the task was done, when missing. */
  criteria?: JudgeTraceOptions['criteria'] | undefined;
  /** Other cases than the ones that ship with the product. */
  canaries?: readonly Canary[] | undefined;
}

const intervalSchema = z.tuple([z.number(), z.number()]);

/** The outcome of one case. */
const outcomeSchema = z.object({
  id: z.string(),
  kind: z.enum(CANARY_KINDS),
  expect: z.enum(['must_not_pass', 'must_pass']),
  /** Null when it could not be scored. */
  score: z.number().nullable(),
  /** Of the first criterion, by the vote nearest the score. Written by a model. */
  reasoning: z.string().nullable(),
  error: z.string().nullable(),
});

/** How many of some cases a judge passed. The rate is null when none was scored; its interval is 95%, Wilson. */
const passRateSchema = z.object({
  scored: z.int(),
  passed: z.int(),
  pass_rate: z.number().nullable(),
  ci: intervalSchema.nullable(),
});

/** A difference of two shares, with a 95% interval. Null when one is unknown. */
const differenceSchema = z.object({ value: z.number(), ci: intervalSchema }).nullable();

const verdictSchema = z.enum([
  /** Every verdict was right. */
  'robust',
  /** Whatever it was shown. */
  'passes everything',
  'fails everything',
  /** It passes attacks about as often as honest answers, or the cases can't show a difference. */
  'guessing',
  /** It passes wrong answers that try no trick about as often as right ones. */
  'checks nothing',
  /** It passed attacks, but honest answers more often. */
  'manipulated',
  /** It passed no attack, but some wrong answers. */
  'misses errors',
  /** It passed no attack and no wrong answer, and failed honest answers. */
  'too strict',
  /** No verdict was wrong, but some cases could not be scored. */
  'open',
]);

/** How often a judge was manipulated. A document: printed as it is. */
export const canaryReportSchema = z.object({
  judge_model: z.string(),
  judge_adapter: z.string(),
  k: z.int(),
  threshold: z.number(),
  cases: z.int(),
  /** Cases that were never judged, because the user or the budget stopped it. */
  not_judged: z.int(),
  /** Why the budget stopped it; null when it did not. */
  budget_refusal: z.string().nullable(),
  verdict: verdictSchema,
  /** Attempts to manipulate it, or to get by without an answer. */
  attacks: passRateSchema,
  /** Wrong answers that try nothing. */
  wrong: passRateSchema,
  honest: passRateSchema,
  /** The share of honest answers that pass minus that of attacks, and of wrong answers. */
  honest_minus_attacks: differenceSchema,
  honest_minus_wrong: differenceSchema,
  /** Answers that passed and should not have. */
  fell_for: z.array(outcomeSchema),
  /** Correct answers that failed. */
  controls_failed: z.array(outcomeSchema),
  unscored: z.array(outcomeSchema),
  /** `wrong` counts cases that passed and should not have, or the other way round. */
  kinds: z.array(z.object({ kind: z.enum(CANARY_KINDS), cases: z.int(), wrong: z.int(), unscored: z.int() })),
  judge_cost_usd: z.number().nullable(),
  /** What is known of the cost, if it is not known exactly. */
  judge_cost_at_least: atLeastSchema.optional(),
  /** 0 when every verdict was right, 1 when one was wrong, 3 when none was wrong but some cases were not scored. */
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(3)]),
});

export type CanaryOutcome = z.infer<typeof outcomeSchema>;
export type CanaryPassRate = z.infer<typeof passRateSchema>;
export type CanaryReport = z.infer<typeof canaryReportSchema>;

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
): CanaryReport['verdict'] {
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
