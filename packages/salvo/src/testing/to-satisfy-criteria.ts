import { openProjectModels } from '../app/project/project-models.ts';
import type { Evaluation } from '../evaluators/evaluator.ts';
import { judgeEvaluator } from '../evaluators/types/judge/judge.ts';
import { scenarioJudges } from '../judge/scenario-judges.ts';
import { createBudget } from '../models/budget/create-budget.ts';
import { FUNCTION_ADAPTER, type ModelFunction, withFunctionModels } from '../models/call/function-models.ts';
import { ASSERTION_SCHEMAS, type AssertionOf } from '../scenario/schema/assertion-schema.ts';
import { formatScore } from '../stats/format.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { list } from '../text/words/value-words.ts';
import type { TestedRun } from './evaluate.ts';
import { type Expectation, expectTrials } from './expect-trials.ts';
import type { MatcherOptions } from './test-options.ts';
import { checkedInput } from './tool-expectations.ts';

/** By name: what the judge is asked about each trial. */
export type CriteriaInput = Record<string, string | { description: string; weight?: number | undefined }>;

export interface CriteriaOptions extends MatcherOptions {
  /** The judge: a model by its adapter, or a function that answers as a model would. Default: `judge` of salvo.yaml. */
  judge?: ModelFunction | { adapter?: string | undefined; model: string } | undefined;
  /** Votes. Default: `judge.k` of salvo.yaml, else 3. */
  k?: number | undefined;
  /** The weighted score that a vote needs to pass. */
  threshold?: number | string | undefined;
}

/** Whether a judge finds that the trials meet the criteria. */
export async function expectCriteria(
  tested: TestedRun,
  assertion: AssertionOf<'judge'>,
  { isNot, options }: { isNot: boolean; options: CriteriaOptions },
): Promise<Expectation> {
  const { project, env, run } = tested;
  await using services = await openProjectModels({ project, env, retries: tested.options.retries });
  const [asked] = scenarioJudges({ assertions: [assertion] }, project.config.judge);
  const judges = asked?.judges ?? [];
  const isFunction = typeof options.judge === 'function';
  if (!isFunction) for (const { adapter } of judges) await services.checkReady(adapter);
  const called = isFunction ? [] : judges.map((judge) => ({ ...judge, file: run.summary.file }));
  const limit = await services.budgetUsd(options.budgetUsd ?? tested.options.budgetUsd, called);
  const spent = (run.summary.cost_total_usd ?? 0) + (run.summary.judge_cost_usd ?? 0);
  const models =
    typeof options.judge === 'function'
      ? withFunctionModels(new Map([[functionName(options.judge), options.judge]]), services.models)
      : services.models;
  const names = (assertion.criteria ?? []).map(({ name }) => name);
  return await expectTrials(
    tested,
    {
      what: `satisfy ${list(names, 'and')}`,
      check: {
        type: 'judge',
        id: `toSatisfyCriteria ${names.join(', ')}`.slice(0, 200),
        evaluate: async (trace, context) => inWords(await judgeEvaluator(assertion, trace, context)),
      },
      services: {
        models,
        voteCache: services.voteCache,
        budget: createBudget(limit, { spentUsd: spent }),
        signal: tested.place.signal ?? undefined,
      },
    },
    { isNot, options },
  );
}

/** The criteria as an assertion. Wrong ones are refused before anything is run. */
export function criteriaAssertion(
  criteria: CriteriaInput,
  { judge, k, threshold }: CriteriaOptions,
): AssertionOf<'judge'> {
  if (!isRecord(criteria) || Object.keys(criteria).length === 0) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      "toSatisfyCriteria needs criteria, such as { polite: 'The answer is polite.' }.",
    );
  }
  return checkedInput(
    ASSERTION_SCHEMAS.judge,
    {
      type: 'judge',
      criteria: Object.entries(criteria).map(([name, text]) =>
        typeof text === 'string' ? { name, description: text } : { name, ...text },
      ),
      k,
      threshold,
      ...judgeFields(judge),
    },
    'toSatisfyCriteria',
  );
}

function judgeFields(judge: CriteriaOptions['judge']) {
  if (typeof judge === 'function') return { judge_adapter: FUNCTION_ADAPTER, judge_model: functionName(judge) };
  return { judge_adapter: judge?.adapter, judge_model: judge?.model };
}

function functionName(judge: ModelFunction): string {
  return judge.name === '' ? 'judge' : judge.name;
}

/** The details say which criteria were missed, and why: `polite 0.20: It insults the customer.` */
function inWords(evaluation: Evaluation): Evaluation {
  const { metadata = {}, score, passed } = evaluation;
  if (score === null || passed || !Array.isArray(metadata.per_criterion)) return evaluation;
  const threshold = typeof metadata.threshold === 'number' ? metadata.threshold : 1;
  const described = metadata.per_criterion.flatMap((each: unknown) => {
    if (!isRecord(each) || typeof each.score !== 'number') return [];
    const why = typeof each.reasoning === 'string' && each.reasoning !== '' ? `: ${each.reasoning}` : '';
    return [{ score: each.score, words: `${String(each.name)} ${formatScore(each.score)}${why}` }];
  });
  const missed = described.filter((each) => each.score < threshold);
  const words = (missed.length > 0 ? missed : described).map((each) => each.words);
  const notes = Array.isArray(metadata.notes) ? metadata.notes.map(String) : [];
  return { ...evaluation, details: [...words, ...notes].join('; ') };
}
