import { clusterRate } from '../../stats/agreement/cluster-rate.ts';
import { effectiveVotes } from '../../stats/agreement/effective-votes.ts';
import { kappaEstimate } from '../../stats/agreement/kappa-interval.ts';
import { kendall } from '../../stats/agreement/kendall.ts';
import { votesNeeded } from '../../stats/agreement/majority-flip-rate.ts';
import { spearman } from '../../stats/agreement/spearman.ts';
import { weightedMean } from '../../stats/weighted-mean.ts';
import { bestThreshold } from './best-threshold.ts';
import type { Agreement, CalibrationMetrics } from './calibration-record.ts';
import { calibrationVerdict } from './calibration-verdict.ts';
import type { Comparison, SamplePlace } from './comparison.ts';
import { joinCopies } from './sample-places.ts';

/**
 * Agreement between people and the judge. Copies of one answer count once, and a label that was drawn counts for as many
 * trials as it stands for; only rank correlations, and how the errors of votes correlate, do not weigh labels. `random`
 * is used by the bootstrap.
 */
export function calibrationMetrics(
  given: readonly Comparison[],
  { threshold, random }: { threshold: number; random: () => number },
): CalibrationMetrics {
  const comparisons = joinCopies(given);
  const labelled = labelledOf(comparisons);
  const agreement = agreementOf(labelled, random);
  const scored = labelled.flatMap(({ human, judge: { score }, weight }) =>
    score === null ? [] : [{ passed: human, score, weight }],
  );
  return {
    ...agreement,
    agreement: weightedMean(
      labelled.map(({ human, judge, weight }) => ({ value: human === judge.passed ? 1 : 0, weight })),
    ),
    ...scoreMetrics(comparisons),
    best_threshold: bestThreshold({ items: scored, current: threshold }),
    ...repeatability(comparisons),
    effective_votes: effectiveVotesOf(labelled),
    ...calibrationVerdict(agreement),
  };
}

/** A comparison of which the verdict of people is known. */
export type LabelledComparison = Pick<Comparison, 'judge' | 'votes'> & {
  human: boolean;
  /** Items of one cluster may be alike: the trials of a case. */
  cluster: string;
  /** How many trials it stands for. */
  weight: number;
};

/** Of comparisons whose copies are joined. */
export function labelledOf(comparisons: readonly Comparison[]): LabelledComparison[] {
  return comparisons.flatMap(({ human, judge, votes, sample }, index) =>
    human.passed === null
      ? []
      : [{ human: human.passed, judge, votes, cluster: sample?.cluster ?? `item ${index}`, weight: weightOf(sample) }],
  );
}

function weightOf(sample: SamplePlace | undefined): number {
  return sample?.weight ?? 1;
}

/** Agreement on pass or fail. */
export function agreementOf(labelled: readonly LabelledComparison[], random: () => number): Agreement {
  const estimate = kappaEstimate(
    labelled.map(({ human, judge, cluster, weight }) => ({ first: judge.passed, second: human, cluster, weight })),
    random,
  );
  const clusters = new Set(labelled.map(({ cluster }) => cluster)).size;
  return {
    n: labelled.length,
    ...(clusters < labelled.length ? { cases: clusters } : {}),
    human_passed: labelled.filter(({ human }) => human).length,
    kappa: estimate?.kappa ?? null,
    kappa_ci: estimate?.interval ?? null,
    sensitivity: countedRate(labelled, true),
    specificity: countedRate(labelled, false),
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
  const pairs = comparisons.flatMap(({ human, judge, sample }) =>
    human.score === null || judge.score === null
      ? []
      : [{ human: human.score, judge: judge.score, weight: weightOf(sample) }],
  );
  const humans = pairs.map(({ human }) => human);
  const judges = pairs.map(({ judge }) => judge);
  return {
    n_scores: pairs.length,
    spearman: spearman(judges, humans),
    kendall: kendall(judges, humans),
    mean_error: weightedMean(pairs.map(({ human, judge, weight }) => ({ value: judge - human, weight }))),
    mean_absolute_error: weightedMean(
      pairs.map(({ human, judge, weight }) => ({ value: Math.abs(judge - human), weight })),
    ),
  };
}

/** How often the judge agrees with people where they said `human`. */
function countedRate(labelled: readonly LabelledComparison[], human: boolean): CalibrationMetrics['sensitivity'] {
  const own = labelled
    .filter((each) => each.human === human)
    .map(({ judge, cluster, weight }) => ({ isTrue: judge.passed === human, cluster, weight }));
  const correct = own.filter(({ isTrue }) => isTrue).length;
  const found = clusterRate(own);
  if (!found) return { correct, total: own.length, rate: null, ci: null };
  return { correct, total: own.length, rate: found.rate, ci: found.interval, worth: found.worth };
}

/** How often the judge contradicts itself. Needs no labels. */
function repeatability(comparisons: readonly Comparison[]) {
  const items = comparisons.map(({ votes, sample }) => ({
    repeats: votes.map((repeat) => repeat.filter((vote) => vote !== null)),
    weight: weightOf(sample),
  }));
  const votes = items.map(({ repeats, weight }) => ({ verdicts: repeats.flat(), weight }));
  const vote_flip_rate = flipRate(votes);
  const passRate = weightedMean(
    votes
      .filter(({ verdicts }) => verdicts.length > 1)
      .map(({ verdicts, weight }) => ({ value: shareOfPasses(verdicts), weight })),
  );
  return {
    vote_flip_rate,
    repeat_flip_rate: flipRate(
      items.map(({ repeats, weight }) => ({
        verdicts: repeats.filter(({ length }) => length > 0).map((each) => shareOfPasses(each) > 0.5),
        weight,
      })),
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
function flipRate(items: readonly { verdicts: readonly boolean[]; weight: number }[]): number | null {
  const rates = items.flatMap(({ verdicts, weight }) => {
    const passed = verdicts.filter(Boolean).length;
    const pairs = verdicts.length * (verdicts.length - 1);
    return pairs === 0 ? [] : [{ value: (2 * passed * (verdicts.length - passed)) / pairs, weight }];
  });
  return weightedMean(rates);
}
