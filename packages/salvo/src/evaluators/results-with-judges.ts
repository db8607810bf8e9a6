import { scenarioJudges } from '../judge/scenario-judges.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { assertionIds } from './assertion-ids.ts';
import type { EvalResult } from './eval-result.ts';
import type { EvaluationContext } from './evaluator.ts';
import { needsExactScores, sameForTrial } from './score-stakes.ts';

/** The results of all assertions of a scenario that has judges, in the order of the file. */
export async function resultsWithJudges(options: {
  scenario: Scenario;
  context: EvaluationContext;
  /** Evaluates the assertion at a position. */
  resultOf: (index: number, context?: EvaluationContext) => EvalResult | Promise<EvalResult>;
}): Promise<EvalResult[]> {
  const { scenario, context: given, resultOf } = options;
  const { assertions, threshold } = scenario;
  const exactScore = given.exactScore ?? needsExactScores(scenario, given.project?.config.defaults);
  const judges = scenarioJudges(scenario, given.project?.config.judge);
  const others = assertions.map((_, index) => (judges.some((judge) => judge.index === index) ? null : resultOf(index)));
  const ids = given.peopleOn ? assertionIds(assertions) : [];
  const judged = judges.map(async ({ assertion, index }) => {
    const { peopleOn } = given;
    const context = peopleOn ? { ...given, peoplesVerdict: () => peopleOn(ids[index] ?? '') } : given;
    if (!assertion.early_stop) return resultOf(index, context);
    // How many votes are needed depends on what the other assertions say, so these come first.
    const known = (await Promise.all(others)).filter((result) => result !== null);
    const otherJudges = judges.filter((judge) => judge.index !== index).map((judge) => judge.assertion);
    const stakes = { judge: assertion, otherJudges, known, threshold, exactScore };
    // The score says nothing about a criterion that does not count for it.
    const hasFreeCriterion = exactScore && assertion.criteria?.some(({ weight }) => weight === 0);
    return resultOf(index, {
      ...context,
      // A judge that fails decides the trial, whatever its score is.
      isScoreSettled: hasFreeCriterion
        ? () => false
        : ({ passed, ...range }) => (!passed && !exactScore) || sameForTrial(range, stakes),
    });
  });
  const results = await Promise.all(others);
  for (const [position, { index }] of judges.entries()) results[index] = (await judged[position]) ?? null;
  return results.filter((result) => result !== null);
}
