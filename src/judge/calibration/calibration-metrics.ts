import { cohenKappa } from '../../stats/cohen-kappa.ts';
import { kappaInterval } from '../../stats/kappa-interval.ts';
import { kendall } from '../../stats/kendall.ts';
import { mean } from '../../stats/mean.ts';
import { spearman } from '../../stats/spearman.ts';
import { wilsonInterval } from '../../stats/wilson-interval.ts';
import { bestThreshold } from './best-threshold.ts';
import type { CalibrationMetrics } from './calibration-record.ts';
import { calibrationVerdict } from './calibration-verdict.ts';
import { votesNeeded } from './votes-needed.ts';

/** The verdicts of people and of the judge on one item, for one criterion or overall. */
export interface Comparison {
  /** Null when people did not say. */
  human: { passed: boolean | null; score: number | null };
  judge: { passed: boolean; score: number };
  /** The verdicts of the single votes, by repeat. */
  votes: readonly (readonly boolean[])[];
}

/** Agreement between people and the judge. `random` is used by the bootstrap. */
export function calibrationMetrics(
  comparisons: readonly Comparison[],
  { threshold, random }: { threshold: number; random: () => number },
): CalibrationMetrics {
  const verdicts = comparisons.flatMap(({ human, judge }) =>
    human.passed === null ? [] : [{ human: human.passed, judge: judge.passed, score: judge.score }],
  );
  const humans = verdicts.map(({ human }) => human);
  const judges = verdicts.map(({ judge }) => judge);
  const evidence = {
    n: verdicts.length,
    human_passed: humans.filter(Boolean).length,
    kappa: cohenKappa(judges, humans),
    kappa_ci: kappaInterval(judges, humans, random),
  };
  return {
    ...evidence,
    agreement: mean(verdicts.map(({ human, judge }) => (human === judge ? 1 : 0))),
    ...scoreMetrics(comparisons),
    sensitivity: countedRate(verdicts.filter(({ human }) => human).map(({ judge }) => judge)),
    specificity: countedRate(verdicts.filter(({ human }) => !human).map(({ judge }) => !judge)),
    best_threshold: bestThreshold({
      scores: verdicts.map(({ score }) => score),
      passed: humans,
      current: threshold,
    }),
    ...repeatability(comparisons),
    ...calibrationVerdict(evidence),
  };
}

function scoreMetrics(comparisons: readonly Comparison[]) {
  const pairs = comparisons.flatMap(({ human, judge }) =>
    human.score === null ? [] : [{ human: human.score, judge: judge.score }],
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
  const votes = comparisons.map((comparison) => comparison.votes.flat());
  const vote_flip_rate = flipRate(votes);
  const passRate = mean(votes.filter(({ length }) => length > 1).map(shareOfPasses));
  return {
    vote_flip_rate,
    repeat_flip_rate: flipRate(
      comparisons.map((comparison) =>
        comparison.votes.filter(({ length }) => length > 0).map((repeat) => shareOfPasses(repeat) > 0.5),
      ),
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
