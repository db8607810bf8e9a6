import type { ScoreAnswer } from 'salvo/kit/models';
import { cohenKappa, sumOrUnknown } from 'salvo/kit/statistics';
import { sumCosts } from 'salvo/kit/stats';
import { agentCost } from 'salvo/kit/trace';
import { type MatchInput, pairInInput } from '../claims/match-input.ts';
import type { ModelsPart } from '../results/score-results.ts';
import type { DecidedPair } from './decide-pairs.ts';
import type { ModelChoice } from './llm-options.ts';

/** What the models decided, and what it cost. */
export function modelsPart(part: {
  input: MatchInput;
  models: readonly ModelChoice[];
  decided: readonly DecidedPair[];
  leftOut: number;
}): ModelsPart {
  const { input, models, decided, leftOut } = part;
  const decisions = decided.map(({ pair, same, opinions }) => {
    return { ...pairInInput(input, pair), score: pair.score, same, opinions };
  });
  return {
    asked: decided.length,
    undecided: decided.filter(({ same }) => same === null).length,
    leftOut,
    decisions: decisions.sort((a, b) => a.vulnerabilityIndex - b.vulnerabilityIndex || a.findingIndex - b.findingIndex),
    kappas: kappasOf(models, decided),
    ...billOf(decided.flatMap(({ votes }) => votes)),
  };
}

function kappasOf(models: readonly ModelChoice[], decided: readonly DecidedPair[]): ModelsPart['kappas'] {
  return models.flatMap((first, a) =>
    models.slice(a + 1).map((second, offset) => {
      const both = decided.flatMap(({ opinions }): [boolean, boolean][] => {
        const [one, other] = [opinions[a]?.same ?? null, opinions[a + 1 + offset]?.same ?? null];
        return one === null || other === null ? [] : [[one, other]];
      });
      const kappa = cohenKappa(
        both.map(([one]) => one),
        both.map(([, other]) => other),
      );
      return { models: [nameOf(first), nameOf(second)], kappa };
    }),
  );
}

function nameOf({ adapter, model }: ModelChoice): string {
  return `${adapter}/${model}`;
}

function billOf(votes: readonly ScoreAnswer[]) {
  const paid = votes.filter(({ cached }) => !cached);
  const cost = sumCosts(paid.map(agentCost));
  // The tokens of a request without an answer are unknown, and not charged.
  const answered = paid.filter(({ scores, raw_text }) => scores !== null || raw_text !== null);
  return {
    calls: paid.reduce((calls, { repaired }) => calls + (repaired ? 2 : 1), 0),
    cachedVotes: votes.length - paid.length,
    inputTokens: sumOrUnknown(answered.map(({ input_tokens }) => input_tokens)),
    outputTokens: sumOrUnknown(answered.map(({ output_tokens }) => output_tokens)),
    costUsd: cost.usd,
    ...(cost.at_least && { costAtLeast: cost.at_least }),
  };
}
