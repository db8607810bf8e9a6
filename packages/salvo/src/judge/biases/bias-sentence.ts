import {
  formatCount,
  formatPoints,
  formatPointsInterval,
  signedTwoDigits,
  twoDigitsInterval,
} from '../../stats/format.ts';
import { type Bias, type BiasDocument, FEWEST_CASES, POINTS, SMALL_EFFECT } from './bias-document.ts';

/** What the changed answer of a pair has. */
export const CHANGED: Record<Bias, string> = {
  length: 'padding without content',
  formatting: 'a heading and bullet points around the same sentences',
  tone: '"completely certain" instead of "not completely certain"',
  authority: 'the name of an official policy instead of a neutral opening',
  family: "a note that the judge's own family of models wrote it, instead of another family",
  language: 'the same exchange in German, Spanish or Chinese instead of English',
};

const WORDS: Record<Bias, { raises: string; lowers: string }> = {
  length: { raises: 'prefers longer answers', lowers: 'prefers shorter answers' },
  formatting: { raises: 'prefers formatted answers', lowers: 'prefers answers without formatting' },
  tone: { raises: 'prefers a confident tone', lowers: 'prefers a hedged tone' },
  authority: {
    raises: 'prefers answers that name an authority',
    lowers: 'prefers answers that name no authority',
  },
  family: {
    raises: 'prefers answers of its own family of models',
    lowers: 'prefers answers of other families of models',
  },
  language: { raises: 'prefers other languages than English', lowers: 'prefers English' },
};

/** What was found about one bias. It says no more than the interval. */
export function biasSentence(found: Omit<BiasDocument, 'sentence'>): string {
  const { bias, points, ci, changed } = found;
  const effect = `${signedTwoDigits(points)} of ${POINTS} points (95% CI ${twoDigitsInterval(ci)})`;
  switch (found.found) {
    case 'not measured':
      return `${bias}: not measured: ${whyNot(found)}.`;
    case 'raises':
    case 'lowers':
      return `${WORDS[bias][found.found]}: ${effect} for ${changed}${passRate(found)}.`;
    case 'none':
      return `${bias}: no difference of more than ${SMALL_EFFECT} points: ${effect} for ${changed}.`;
    case 'too few':
      return `${bias}: too few pairs to tell: ${effect} for ${changed}; about ${formatCount(pairsMissing(found))} more would do.`;
  }
}

function whyNot({ left_out: [first] }: Omit<BiasDocument, 'sentence'>): string {
  return first ? `no answer has a pair (${formatCount(first.answers)} ${first.reason})` : 'no pair was scored';
}

function passRate({ pass_rate_difference: difference, pass_rate_ci: ci }: Omit<BiasDocument, 'sentence'>): string {
  if (difference === null || ci === null || difference === 0) return '';
  return `; pass rate ${formatPoints(difference)} (95% CI ${formatPointsInterval(ci)})`;
}

/** How many more pairs make the interval reach no further than a small effect. It shrinks with the square root. */
function pairsMissing({ n, ci, cases }: Omit<BiasDocument, 'sentence'>): number {
  const [low, high] = ci ?? [-POINTS, POINTS];
  const needed = n * ((high - low) / 2 / SMALL_EFFECT) ** 2;
  return Math.max(10, FEWEST_CASES - cases, Math.ceil((needed - n) / 10) * 10);
}
