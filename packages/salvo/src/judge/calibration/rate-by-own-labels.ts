import { formatCount, formatPlural } from '../../stats/format.ts';
import { type PredictedItem, predictionPoweredRate } from '../../stats/intervals/prediction-powered-rate.ts';
import { FEWEST_ITEMS } from './calibration-verdict.ts';
import { drawWeights } from './draw-trials.ts';
import type { HumanLabel } from './human-label.ts';
import { peoplesVerdict } from './people.ts';

/** With fewer cases, intervals over cases that are very much alike contain the truth in less than 93%. */
const FEWEST_CASES = 20;
const FEWEST_LABELLED_CASES = 10;

/** A trial of a run that a judge has a verdict on. */
export interface LabelledTrial {
  /** Trials of one case may be alike; null in a scenario without data, whose trials are independent. */
  case: number | null;
  /** How likely the trial passes according to the judge: the share of its votes, or 0 or 1. */
  probability: number;
  /** What people said of it for this judge. */
  labels: readonly HumanLabel[];
  /** Whether the judge's pass rate is of it. It is not if its case is in quarantine. */
  counts: boolean;
}

/** The pass rate by labels of the run's own trials, or why there is none. */
export type OwnLabelsRate =
  | { rate: number; interval: [number, number]; labels: number; note: string }
  | { rate: null; note: string };

/**
 * The pass rate that people would have found in a run, by what they said of some of its own trials, which were drawn by
 * known chances, and by what the judge said of all of them. Null if no trial has a label.
 */
export function rateByOwnLabels(trials: readonly LabelledTrial[]): OwnLabelsRate | null {
  const labelled = trials.filter(({ labels }) => labels.length > 0);
  if (labelled.length === 0) return null;
  const drawn = labelled.filter(({ labels }) => labels.some((label) => label.drawn));
  const unknown = whyNoChances(drawn, trials.length);
  if (unknown !== null) return none(unknown);
  const { weights, skipped } = drawWeights(drawn.map(({ labels }) => labels));
  const verdicts = new Map(drawn.map((trial, index) => [trial, verdictOf(trial, weights[index] ?? null)]));
  const items = trials
    .filter(({ counts }) => counts)
    .map((trial, index): PredictedItem => {
      const cluster = trial.case === null ? `trial ${index}` : `case ${trial.case}`;
      return { cluster, prediction: trial.probability, label: verdicts.get(trial) ?? null };
    });
  const tooFew = whyTooFew(items);
  const result = tooFew === null ? predictionPoweredRate(items) : null;
  if (!result) return none(tooFew ?? 'are of too few cases');
  const labels = items.filter(({ label }) => label !== null).length;
  const ties = [...verdicts.values()].filter((label) => label === null).length;
  const chosen = labelled.length - drawn.length;
  const notes = [
    `prediction-powered, by labels of ${formatCount(labels)} of the run's own ${formatPlural(items.length, 'trial')}`,
    ...(skipped > 0 ? [`${formatPlural(skipped, 'drawn trial')} without a label, taken to be like the others`] : []),
    ...(ties > 0 ? [`${formatPlural(ties, 'trial')} without a verdict of most people left out`] : []),
    ...(chosen > 0 ? [`${formatPlural(chosen, 'trial')} that a person chose left out`] : []),
  ];
  return { rate: result.rate, interval: result.interval, labels, note: notes.join('; ') };
}

/** Why the chances of being drawn are not known for all trials; null if they are. */
function whyNoChances(drawn: readonly LabelledTrial[], total: number): string | null {
  const labels = drawn.flatMap((trial) => trial.labels.filter((label) => label.drawn));
  if (labels.length === 0) return 'were not drawn; only labels given on the Labels page stand for other trials';
  const draws = labels.map(({ run_id, scenario_index, drawn: how }) => `${scenario_index} ${run_id} ${how?.draw}`);
  if (new Set(draws).size > 1) {
    return 'are of several draws';
  }
  // Trials that were added to the run later had no chance of being drawn.
  return labels.some((label) => label.drawn?.of !== total)
    ? 'were not drawn from the trials that the run has now'
    : null;
}

function whyTooFew(items: readonly PredictedItem[]): string | null {
  const labelled = items.filter(({ label }) => label !== null);
  const passed = labelled.filter(({ label }) => label?.passed).length;
  if (labelled.length < FEWEST_ITEMS) return `are ${labelled.length}, and at least ${FEWEST_ITEMS} are needed`;
  if (passed === 0 || passed === labelled.length) return `all say ${passed === 0 ? 'fail' : 'pass'}`;
  const clustersOf = (some: readonly PredictedItem[]) => new Set(some.map(({ cluster }) => cluster)).size;
  if (clustersOf(items) < FEWEST_CASES) return `are of a run with fewer than ${FEWEST_CASES} cases`;
  if (clustersOf(labelled) < FEWEST_LABELLED_CASES) return `are of fewer than ${FEWEST_LABELLED_CASES} cases`;
  return null;
}

/** Null if people gave no verdict on the whole, or as many passed as failed it. */
function verdictOf({ labels }: LabelledTrial, weight: number | null): PredictedItem['label'] {
  const { passed } = peoplesVerdict(labels);
  return passed === null || weight === null ? null : { passed, weight };
}

function none(why: string): OwnLabelsRate {
  return { rate: null, note: `the labels of the run's own trials are not used alone: they ${why}` };
}
