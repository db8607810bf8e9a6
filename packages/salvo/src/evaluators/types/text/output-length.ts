import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { formatCount } from '../../../stats/format.ts';
import type { Evaluator } from '../../evaluator.ts';
import { NO_ANSWER, showValue } from '../../show-value.ts';

/** Passes if there is an answer, and it has so many characters or words. White space around it does not count. */
export const evaluateOutputLength: Evaluator<AssertionOf<'output_length'>> = ({ min, max, unit }, trace) => {
  const answer = (trace.final_content ?? '').trim();
  if (answer === '') return NO_ANSWER;
  const length = unit === 'words' ? wordsIn(answer) : charactersIn(answer);
  const noun = length === 1 ? unit.slice(0, -1) : unit;
  const isTooShort = min !== undefined && length < min;
  const isTooLong = max !== undefined && length > max;
  if (!isTooShort && !isTooLong) return { score: 1, details: `the answer has ${formatCount(length)} ${noun}` };
  const limit = isTooShort ? `at least ${formatCount(min)}` : `at most ${formatCount(max ?? 0)}`;
  const details = `the answer has ${formatCount(length)} ${noun}, ${limit} demanded: got ${showValue(answer)}`;
  return { score: 0, details };
};

/** A character outside of the basic plane, such as an emoji, is one and not two. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function wordsIn(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/\S+/g)) count += 1;
  return count;
}
