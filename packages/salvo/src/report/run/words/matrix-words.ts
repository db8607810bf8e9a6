import type { MatrixComparison, MatrixModel, RunMatrix } from '../../../run/compare/run-matrix.ts';
import { formatDifference, formatPlural, formatRatio } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { isChange } from '../../compare/compare-words.ts';

/** A ratio below this is no difference worth a word. */
const SMALLEST_RATIO = 1.1;

/** What a comparison with the first model says, in a few words. */
export function comparisonWords({
  conclusion,
  difference,
}: Pick<MatrixComparison, 'conclusion' | 'difference'>): string {
  const points = difference === null ? '' : signedPoints(difference.value);
  switch (conclusion) {
    case 'better':
    case 'worse':
      return `${conclusion}, ${points}`;
    case 'no_evidence':
      return points === 'same' ? 'same' : `${points}, may be luck`;
    case 'too_few_trials':
      return 'too few trials';
    case 'not_comparable':
      return 'not comparable';
  }
}

function signedPoints(value: number): string {
  return value === 0 ? 'same' : formatDifference(value);
}

/** How a model compares with the first over all scenarios. */
export function overallWords({ compared, together }: MatrixModel): string {
  if (compared === null) return '';
  return together ? comparisonWords(together) : 'no scenarios to compare';
}

/** A sentence for each model but the first: where it is better or worse, and what it costs. */
export function matrixSentences(matrix: RunMatrix): string[] {
  const [base, ...others] = matrix.models;
  if (!base) return [];
  return others.map((model) => {
    const parts = [...overAll(model), ...differences(model, matrix), ...priceRatio(model, base)];
    return `${safeLine(model.label, 60)} against ${safeLine(base.label, 60)}: ${parts.join('; ')}.`;
  });
}

function differences({ label, compared }: MatrixModel, { comparisons }: RunMatrix): string[] {
  const own = comparisons.filter(({ model }) => model === label);
  if (own.length === 0) return ['no scenario in common'];
  const needed = own.flatMap(({ conclusion, trials_needed }) =>
    conclusion === 'too_few_trials' && trials_needed !== null ? [trials_needed] : [],
  );
  const found = (
    [
      ['worse', 'worse'],
      ['better', 'better'],
      ['no_evidence', 'no evidence of a difference'],
      ['too_few_trials', 'too few trials to tell'],
      ['not_comparable', 'not comparable'],
    ] as const
  ).flatMap(([conclusion, text]) => {
    const count = compared?.[conclusion] ?? 0;
    const hint = conclusion === 'too_few_trials' && needed.length > 0 ? enoughTrials(Math.max(...needed)) : '';
    return count === 0 ? [] : [{ text, count, hint }];
  });
  return found.map(({ text, count, hint }, index) => {
    if (own.length === 1) return `${text}${hint}`;
    if (count === own.length) return `${text} on all ${count} scenarios${hint}`;
    return `${text} on ${index === 0 ? `${count} of ${own.length} scenarios` : count}${hint}`;
  });
}

/** Said only if it is a difference. */
function overAll({ together }: MatrixModel): string[] {
  if (!together || !isChange(together.conclusion)) return [];
  return [
    `${together.conclusion} over all ${together.scenarios} scenarios together (${signedPoints(together.difference.value)})`,
  ];
}

function enoughTrials(count: number): string {
  return ` (to see a change of 20 points takes ${formatPlural(count, 'trial')})`;
}

/** Trials cost about the same each time, so a ratio needs no test. */
function priceRatio(model: MatrixModel, base: MatrixModel): string[] {
  const [cost, before] = [model.cost_per_trial_usd, base.cost_per_trial_usd];
  if (!cost || !before) return [];
  const ratio = cost > before ? cost / before : before / cost;
  if (ratio < SMALLEST_RATIO) return [];
  return [`${formatRatio(ratio)} ${cost > before ? 'more expensive' : 'cheaper'}`];
}

/** How differences are told from luck. */
export function luckNote({ comparisons }: RunMatrix): string {
  const correction = comparisons.length > 1 ? " after Holm's correction for all of these comparisons" : '';
  return `Better or worse: a difference of the pass rates with p < 0.05${correction}. Anything else may be luck.`;
}
