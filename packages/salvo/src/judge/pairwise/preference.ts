import type { LevelProbability, VoteScores } from '../../models/scoring/read-scores.ts';
import { exactSum } from '../../stats/exact-sum.ts';
import { probabilityOfMean } from '../../stats/probability-of-mean.ts';
import { weightedMean } from '../../stats/weighted-mean.ts';
import { isMajority, type WeightedCriterion } from '../votes/aggregation.ts';
import type { Preference } from './pairwise-outcome.ts';

/** How much a preference counts in a win rate. */
export const PREFERENCE_SCORE: Readonly<Record<Preference, number>> = { win: 1, tie: 0.5, loss: 0 };

/** How likely each preference is, by a decision model. */
type PreferenceShares = Record<Preference, number>;

/** What one order says. Only a decision model gives `shares`. */
export interface OrderedPreference {
  preference: Preference;
  shares?: PreferenceShares;
}

const EVEN = 0.5;
const TOLERANCE = 1e-9;

/** The scores of an order in which the other answer was A, turned so that 1 prefers the trial's answer. */
export function turnedScores(scores: VoteScores): VoteScores {
  return Object.fromEntries(
    Object.entries(scores).map(([name, { score, reasoning, probabilities }]) => [
      name,
      { score: 1 - score, reasoning, ...(probabilities && { probabilities: probabilities.map(turnedLevel) }) },
    ]),
  );
}

function turnedLevel({ label, score, probability }: LevelProbability): LevelProbability {
  return { label, score: 1 - score, probability };
}

/**
 * The preference in one order: the weighted mean of its criteria above or below the middle. A decision model prefers an
 * answer if that is more likely than everything else together.
 */
export function orderedPreference(scores: VoteScores, criteria: readonly WeightedCriterion[]): OrderedPreference {
  const levels = criteria.map(({ name, weight }) => {
    const { score = EVEN, probabilities } = (Object.hasOwn(scores, name) && scores[name]) || {};
    const outcomes = probabilities?.map((each) => ({ value: each.score, probability: each.probability }));
    return { weight, value: score, outcomes };
  });
  if (levels.some(({ outcomes }) => outcomes !== undefined)) {
    const uncertain = levels.map(({ weight, value, outcomes = [{ value, probability: 1 }] }) => ({ weight, outcomes }));
    const atLeast = probabilityOfMean(uncertain, EVEN) ?? 1;
    const win = probabilityOfMean(uncertain, EVEN + 1e-4) ?? 0;
    const shares = { win, tie: Math.max(0, atLeast - win), loss: Math.max(0, 1 - atLeast) };
    return { preference: likelier(shares), shares };
  }
  const mean = weightedMean(levels) ?? EVEN;
  return { preference: mean > EVEN + TOLERANCE ? 'win' : mean < EVEN - TOLERANCE ? 'loss' : 'tie' };
}

function likelier({ win, loss }: PreferenceShares): Preference {
  return win > EVEN + TOLERANCE ? 'win' : loss > EVEN + TOLERANCE ? 'loss' : 'tie';
}

/** One vote: what both orders say. A preference that changes with the order is a tie. */
export function bothOrders(first: OrderedPreference, second: OrderedPreference): OrderedPreference {
  const preference = first.preference === second.preference ? first.preference : 'tie';
  const [a, b] = [first.shares, second.shares];
  if (!a || !b) return { preference };
  const half = (key: Preference) => (a[key] + b[key]) / 2;
  return { preference, shares: { win: half('win'), tie: half('tie'), loss: half('loss') } };
}

/** How votes depend on the order of the answers. */
export function orderEffect(votes: readonly { own_first: Preference | null; other_first: Preference | null }[]) {
  const read = votes.flatMap(({ own_first, other_first }) =>
    own_first && other_first ? [{ own_first, other_first }] : [],
  );
  const towardsFirst = read.map((vote) => PREFERENCE_SCORE[vote.own_first] - PREFERENCE_SCORE[vote.other_first]);
  return {
    votes: read.length,
    changed: read.filter(({ own_first, other_first }) => own_first !== other_first).length,
    first: towardsFirst.reduce((sum, each) => sum + each, 0),
  };
}

/** The preference that more than half of the votes have, by their weights; without one, a tie. */
export function majorityPreference(votes: readonly { preference: Preference; weight: number }[]): Preference {
  const total = (is: (preference: Preference) => boolean) =>
    exactSum(votes.map(({ preference, weight }) => (is(preference) ? weight : 0)));
  const found = (['win', 'loss'] as const).find((side) =>
    isMajority({ passed: total((each) => each === side), failed: total((each) => each !== side) }),
  );
  return found ?? 'tie';
}
