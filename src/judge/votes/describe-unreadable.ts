import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { extractJsonFromText } from '../../text/json-in-text.ts';
import { quoteOutput } from '../../text/quote-output.ts';
import { SCORING_TOOL_NAME } from '../prompt/prompt.ts';
import type { JudgeAnswer } from './extraction.ts';
import { entriesOf, saidByName } from './read-scores.ts';

/** Why `extractScores` found no scores, in words that help the judge to do better. */
export function describeUnreadable(result: JudgeAnswer, criteria: readonly CriterionLike[]): string {
  const { what, evidence } = whatWasWrong(result, criteria);
  const cutOff = result.finish_reason === 'length' ? ' It was cut off at the limit of tokens: be brief.' : '';
  return `${what}${evidence === undefined ? '.' : `: ${evidence}`}${cutOff}`;
}

/** The same for the user, who has the answer beside it. Quotes nothing of it: it is shown where no text may be. */
export function unreadableReason(result: JudgeAnswer, criteria: readonly CriterionLike[]): string {
  const { what } = whatWasWrong(result, criteria);
  return result.finish_reason === 'length'
    ? `${what}; it was cut off at the limit of tokens (max_tokens).`
    : `${what}.`;
}

interface Wrong {
  what: string;
  evidence?: string;
}

function whatWasWrong({ content, tool_calls }: JudgeAnswer, criteria: readonly CriterionLike[]): Wrong {
  const call = tool_calls.find(({ name }) => name === SCORING_TOOL_NAME);
  if (call?.raw_arguments !== undefined) {
    return {
      what: `The arguments of ${SCORING_TOOL_NAME} were not a JSON object`,
      evidence: quote(call.raw_arguments),
    };
  }
  if (call) {
    return {
      what: `The call of ${SCORING_TOOL_NAME} has no score in it`,
      evidence: noScoreIn(call.arguments, criteria),
    };
  }
  const others = tool_calls.map(({ name }) => name);
  if (others.length > 0) {
    return { what: `The answer called ${quote(others.join(', '))} instead of ${SCORING_TOOL_NAME}` };
  }
  if (!content?.trim()) return { what: 'The answer was empty' };
  const json = extractJsonFromText(content);
  return json
    ? { what: 'The JSON in the answer has no score in it', evidence: noScoreIn(json, criteria) }
    : { what: `The answer neither called ${SCORING_TOOL_NAME} nor held a JSON object`, evidence: quote(content) };
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
