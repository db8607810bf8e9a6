import { cohenKappa } from '../../stats/agreement/cohen-kappa.ts';
import { effectiveVotes } from '../../stats/agreement/effective-votes.ts';
import { kappaInterval } from '../../stats/agreement/kappa-interval.ts';
import { kendall } from '../../stats/agreement/kendall.ts';
import { spearman } from '../../stats/agreement/spearman.ts';
import { wilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { mean } from '../../stats/mean.ts';
import { bestThreshold } from './best-threshold.ts';
import type { Agreement, CalibrationMetrics } from './calibration-record.ts';
import { calibrationVerdict } from './calibration-verdict.ts';
import { votesNeeded } from './votes-needed.ts';

/** The verdicts of people and of the judge on one item, for one criterion or overall. */
export interface Comparison {
  /** Null when people did not say. */
  human: { passed: boolean | null; score: number | null };
  /** The score is null for a judge that says only pass or fail. */
  judge: { passed: boolean; score: number | null };
  /** The verdicts of the single votes, by repeat; null for a vote that could not be read. */
  votes: readonly (readonly (boolean | null)[])[];
}

/** Agreement between people and the judge. `random` is used by the bootstrap. */
export function calibrationMetrics(
  comparisons: readonly Comparison[],
  { threshold, random }: { threshold: number; random: () => number },
): CalibrationMetrics {
  const labelled = labelledOf(comparisons);
  const agreement = agreementOf(labelled, random);
  const scored = labelled.flatMap(({ human, judge: { score } }) => (score === null ? [] : [{ human, score }]));
  return {
    ...agreement,
    agreement: mean(labelled.map(({ human, judge }) => (human === judge.passed ? 1 : 0))),
    ...scoreMetrics(comparisons),
    best_threshold: bestThreshold({
      scores: scored.map(({ score }) => score),
      passed: scored.map(({ human }) => human),
      current: threshold,
    }),
    ...repeatability(comparisons),
    effective_votes: effectiveVotesOf(labelled),
    ...calibrationVerdict(agreement),
  };
}

/** A comparison of which the verdict of people is known. */
export type LabelledComparison = Pick<Comparison, 'judge' | 'votes'> & { human: boolean };

export function labelledOf(comparisons: readonly Comparison[]): LabelledComparison[] {
  return comparisons.flatMap(({ human, judge, votes }) =>
    human.passed === null ? [] : [{ human: human.passed, judge, votes }],
  );
}

/** Agreement on pass or fail. */
export function agreementOf(labelled: readonly LabelledComparison[], random: () => number): Agreement {
  const humans = labelled.map(({ human }) => human);
  const judges = labelled.map(({ judge }) => judge.passed);
  return {
    n: labelled.length,
    human_passed: humans.filter(Boolean).length,
    kappa: cohenKappa(judges, humans),
    kappa_ci: kappaInterval(judges, humans, random),
    sensitivity: countedRate(labelled.filter(({ human }) => human).map(({ judge }) => judge.passed)),
    specificity: countedRate(labelled.filter(({ human }) => !human).map(({ judge }) => !judge.passed)),
  };
}

/** Only the first repeat: repeats of the same vote are not further votes. */
function effectiveVotesOf(labelled: readonly LabelledComparison[]): CalibrationMetrics['effective_votes'] {
  const found = effectiveVotes(
    labelled.map(({ human, votes: [first = []] }) => first.map((vote) => (vote === null ? null : vote !== human))),
  );
  return found && { votes: found.votes, worth: found.worth, error_correlation: found.errorCorrelation };
}

function scoreMetrics(comparisons: readonly Comparison[]) {
  const pairs = comparisons.flatMap(({ human, judge }) =>
    human.score === null || judge.score === null ? [] : [{ human: human.score, judge: judge.score }],
  );
  const humans = pairs.map(({ human }) => human);
  const judges = pairs.map(({ judge }) => judge);
  return {
    n_scores: pairs.length,
    spearman: spearman(judges, humans),
    kendall: kendall(judges, humans),
    mean_error: mean(pairs.map(({ human, judge }) => judge - human)),
    mean_absolute_error: mean(pairs.map(({ human, judge }) => Math.abs(judge - human))),
  };
}

function countedRate(right: readonly boolean[]): CalibrationMetrics['sensitivity'] {
  const [correct, total] = [right.filter(Boolean).length, right.length];
  return {
    correct,
    total,
    rate: total === 0 ? null : correct / total,
    ci: wilsonInterval({ passed: correct, total }),
  };
}

/** How often the judge contradicts itself. Needs no labels. */
function repeatability(comparisons: readonly Comparison[]) {
  const repeats = comparisons.map(({ votes }) => votes.map((repeat) => repeat.filter((vote) => vote !== null)));
  const votes = repeats.map((ofItem) => ofItem.flat());
  const vote_flip_rate = flipRate(votes);
  const passRate = mean(votes.filter(({ length }) => length > 1).map(shareOfPasses));
  return {
    vote_flip_rate,
    repeat_flip_rate: flipRate(
      repeats.map((ofItem) => ofItem.filter(({ length }) => length > 0).map((each) => shareOfPasses(each) > 0.5)),
    ),
    votes_needed: votesNeeded({ flipRate: vote_flip_rate, passRate }),
  };
}

function shareOfPasses(votes: readonly boolean[]): number {
  return votes.filter(Boolean).length / votes.length;
}

/**
 * How often two verdicts on the same item differ: the share of pairs that do, averaged over the items, so that an item
 * with more verdicts counts no more than another. An unbiased estimate of 2p(1 - p) for a chance p to pass.
 * Null when no item has two verdicts.
 */
function flipRate(verdicts: readonly (readonly boolean[])[]): number | null {
  const rates = verdicts.flatMap((ofItem) => {
    const passed = ofItem.filter(Boolean).length;
    const pairs = ofItem.length * (ofItem.length - 1);
    return pairs === 0 ? [] : [(2 * passed * (ofItem.length - passed)) / pairs];
  });
  return mean(rates);
}
