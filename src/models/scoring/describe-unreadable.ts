import { extractJsonFromText } from '../../text/json-in-text.ts';
import { quoteOutput } from '../../text/quote-output.ts';
import type { JudgeAnswer } from './extract-scores.ts';
import { entryByCriterion, namedEntries } from './read-scores.ts';
import { SCORING_TOOL_NAME, type ScoredCriterion } from './scoring-tool.ts';

/** Why `extractScores` found no scores, for the judge, which can do better then. */
export function describeUnreadable(result: JudgeAnswer, criteria: readonly ScoredCriterion[]): string {
  const { what, evidence } = findFault(result, criteria);
  return `${what}${evidence === undefined ? '.' : `: ${evidence}`}`;
}

/** The same for the user. Quotes nothing of the answer, since it is stored where no text may be. */
export function unreadableReason(result: JudgeAnswer, criteria: readonly ScoredCriterion[]): string {
  const { what } = findFault(result, criteria);
  return result.finish_reason === 'length'
    ? `${what}; it was cut off at the limit of tokens (max_tokens).`
    : `${what}.`;
}

function findFault(
  { content, tool_calls }: JudgeAnswer,
  criteria: readonly ScoredCriterion[],
): { what: string; evidence?: string } {
  const tool = SCORING_TOOL_NAME;
  const call = tool_calls.find(({ name }) => name === tool);
  if (call?.raw_arguments !== undefined) {
    return { what: `The arguments of ${tool} were not a JSON object`, evidence: quote(call.raw_arguments) };
  }
  if (call) return { what: `The call of ${tool} has no score in it`, evidence: noScoreIn(call.arguments, criteria) };
  const others = tool_calls.map(({ name }) => name).join(', ');
  if (others !== '') return { what: `The answer called ${quote(others)} instead of ${tool}` };
  if (!content?.trim()) return { what: 'The answer was empty' };
  const json = extractJsonFromText(content);
  return json
    ? { what: 'The JSON in the answer has no score in it', evidence: noScoreIn(json, criteria) }
    : { what: `The answer neither called ${tool} nor held a JSON object`, evidence: quote(content) };
}

function noScoreIn(value: Record<string, unknown>, criteria: readonly ScoredCriterion[]): string {
  const entries = namedEntries(value);
  const [named] = entryByCriterion(entries, criteria);
  if (named) {
    const [name, entry] = named;
    const json = JSON.stringify(entry) ?? 'nothing';
    return `what it says of ${quote(name)} has no number from 0.0 to 1.0 as its score: ${quote(json)}`;
  }
  const wanted = criteria.map(({ name }) => name).join(', ');
  const found = entries.map(([name]) => name).join(', ') || 'nothing';
  return `it must score ${quote(wanted)}, but has ${quote(found)}.`;
}

function quote(text: string): string {
  return quoteOutput(text, { length: 200 });
}
