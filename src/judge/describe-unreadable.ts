import { quoteOutput } from '../adapters/quote-output.ts';
import type { CriterionLike } from '../scenario/criterion-schema.ts';
import type { JudgeAnswer } from './extraction.ts';
import { extractJsonFromText } from './json-in-text.ts';
import { SCORING_TOOL_NAME } from './prompt.ts';
import { entriesOf, saidByName } from './read-scores.ts';

/** Why `extractScores` found no scores, in words that help the judge to do better. */
export function describeUnreadable(result: JudgeAnswer, criteria: readonly CriterionLike[]): string {
  const cutOff = result.finish_reason === 'length' ? ' It was cut off at the limit of tokens: be brief.' : '';
  return `${whatWasWrong(result, criteria)}${cutOff}`;
}

function whatWasWrong({ content, tool_calls }: JudgeAnswer, criteria: readonly CriterionLike[]): string {
  const call = tool_calls.find(({ name }) => name === SCORING_TOOL_NAME);
  if (call?.raw_arguments !== undefined) {
    return `The arguments of ${SCORING_TOOL_NAME} were not a JSON object: ${quote(call.raw_arguments)}`;
  }
  if (call) return `The call of ${SCORING_TOOL_NAME} has no score in it: ${noScoreIn(call.arguments, criteria)}`;
  const others = tool_calls.map(({ name }) => name);
  if (others.length > 0) {
    return `The answer called ${quote(others.join(', '))} instead of ${SCORING_TOOL_NAME}.`;
  }
  if (!content?.trim()) return 'The answer was empty.';
  const json = extractJsonFromText(content);
  return json
    ? `The JSON in the answer has no score in it: ${noScoreIn(json, criteria)}`
    : `The answer neither called ${SCORING_TOOL_NAME} nor held a JSON object: ${quote(content)}`;
}

function noScoreIn(value: Record<string, unknown>, criteria: readonly CriterionLike[]): string {
  const entries = entriesOf(value);
  const [said] = saidByName(entries, criteria);
  if (said)
    return `what it says of ${quote(said[0])} has no number from 0.0 to 1.0 as its score: ${quote(shown(said[1]))}`;
  const wanted = criteria.map(({ name }) => name).join(', ');
  const found = entries.map(([name]) => name).join(', ') || 'nothing';
  return `it must score ${quote(wanted)}, but has ${quote(found)}.`;
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

function quote(text: string): string {
  return quoteOutput(text, { length: 200 });
}
