import type { AdapterTurnResult } from '../../adapters/adapter.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonValuesIn } from '../../text/json/json-in-text.ts';
import type { ToolCall } from '../../trace/message.ts';
import { readScores, type VoteScores } from './read-scores.ts';
import { SCORING_TOOL_NAME, type ScoredCriterion } from './scoring-tool.ts';

/** The part of a turn that a vote is read from. */
export type JudgeAnswer = Pick<AdapterTurnResult, 'content' | 'tool_calls'> &
  Partial<Pick<AdapterTurnResult, 'finish_reason'>>;

/**
 * One judge call's scores: from its tool call, else from its text, else null. Every score is from 0 to 1, under the
 * criterion's name; a score that is not a finite number is left out. Never throws.
 */
export function extractScores(result: JudgeAnswer, criteria: readonly ScoredCriterion[]): VoteScores | null {
  return extractScoresFromToolCall(result.tool_calls, criteria) ?? scoresInText(result.content ?? '', criteria);
}

/** Null when no call of `score_criteria` scores a criterion. Several calls are one vote. */
export function extractScoresFromToolCall(
  toolCalls: readonly Pick<ToolCall, 'name' | 'arguments' | 'raw_arguments'>[],
  criteria: readonly ScoredCriterion[],
): VoteScores | null {
  const votes = toolCalls
    .filter(({ name }) => name === SCORING_TOOL_NAME)
    .map((call) => readScores(call.arguments, criteria) ?? scoresInText(call.raw_arguments ?? '', criteria))
    .filter((scores) => scores !== null);
  if (votes.length === 0) return null;
  // The first score of a criterion wins. By entries, since a criterion may be called `__proto__`.
  return Object.fromEntries(votes.toReversed().flatMap((scores) => Object.entries(scores)));
}

/** Of several objects in a text the one that scores most criteria; of equals the last, which models end with. */
function scoresInText(text: string, criteria: readonly ScoredCriterion[]): VoteScores | null {
  let best: VoteScores | null = null;
  for (const value of jsonValuesIn(text)) {
    const scores = isRecord(value) || Array.isArray(value) ? readScores(value, criteria) : null;
    if (scores && Object.keys(scores).length >= Object.keys(best ?? {}).length) best = scores;
  }
  return best;
}
