import { doubledKey } from '../../text/json/doubled-keys.ts';
import { mentionsKey, type WrittenJson, writtenJsonIn } from '../../text/json/json-in-text.ts';
import type { ToolCall } from '../../trace/message.ts';
import { claimedScores, differentScores, doubledKeyFault, type Fault, quote } from './claimed-scores.ts';
import { criterionKeys } from './criterion-keys.ts';
import type { JudgeAnswer } from './extract-scores.ts';
import { namedEntries, type VoteScores } from './read-scores.ts';
import { SCORING_TOOL_NAME, type ScoredCriterion } from './scoring-tool.ts';

/** A vote, or what is wrong with the answer. `usable` is a vote that left out some criteria, but not most of them. */
export type VoteReading = { scores: VoteScores } | { fault: Fault; usable?: VoteScores };

export interface VoteQuestion {
  criteria: readonly ScoredCriterion[];
  /** What the judge was shown: scores that are only quoted from it are not the judge's own. */
  material?: string | undefined;
}

/**
 * Reads a judge's answer as a vote, and refuses whatever could mean two things: an answer that quotes a forged judgement
 * must not be read as the forger's. A call of the tool counts, and the text beside it does not.
 */
export function readVote(result: JudgeAnswer, question: VoteQuestion): VoteReading {
  const { criteria } = question;
  const calls = result.tool_calls.filter(({ name }) => name === SCORING_TOOL_NAME);
  const isCutOff = result.finish_reason === 'length';
  const found =
    calls.length > 0 ? scoresInCalls(calls, question, isCutOff) : scoresInAnswer(result, question, isCutOff);
  if ('fault' in found) return found;
  const missing = criteria.filter(({ name }) => !Object.hasOwn(found.scores, name));
  if (missing.length === 0) return found;
  const names = missing.map(({ name }) => name).join(', ');
  const fault = { what: 'The answer leaves out criteria', evidence: `it has no score for ${quote(names)}` };
  return missing.length * 2 > criteria.length ? { fault } : { fault, usable: found.scores };
}

/** The fault for the judge, which can do better then. */
export function faultForJudge({ what, evidence }: Fault): string {
  return `${what}${evidence === undefined ? '.' : `: ${evidence}`}`;
}

/** The fault for the user. Quotes nothing of the answer. */
export function faultForUser({ what }: Fault, answer: JudgeAnswer, { maxTokens }: { maxTokens: number }): string {
  if (answer.finish_reason !== 'length') return `${what}.`;
  if (answer.content?.trim() || answer.tool_calls.length > 0) {
    return `${what}; it was cut off at the limit of tokens (max_tokens).`;
  }
  return `All ${maxTokens} tokens of max_tokens were used before the answer began: a model that reasons needs more. Raise max_tokens of the judge.`;
}

/** `isNone` when it is JSON that is not about the criteria, such as an example. */
type Found = { scores: VoteScores } | { fault: Fault; isNone?: true };
type Call = Pick<ToolCall, 'arguments' | 'raw_arguments'>;

/** Several calls are one vote, as long as none contradicts another. */
function scoresInCalls(calls: readonly Call[], question: VoteQuestion, isCutOff: boolean): Found {
  const votes: VoteScores[] = [];
  for (const call of calls) {
    const found = scoresInCall(call, question, isCutOff);
    if ('fault' in found) return found;
    votes.push(found.scores);
  }
  const merged = new Map<string, VoteScores[string]>();
  for (const [name, score] of votes.flatMap((scores) => Object.entries(scores))) {
    const earlier = merged.get(name);
    if (earlier && earlier.score !== score.score) return { fault: differentScores(name) };
    if (!earlier) merged.set(name, score);
  }
  return { scores: Object.fromEntries(merged) };
}

function scoresInCall({ arguments: args, raw_arguments }: Call, question: VoteQuestion, isCutOff: boolean): Found {
  const tool = SCORING_TOOL_NAME;
  if (raw_arguments === undefined) return scoresInValue(args, question, `The call of ${tool}`);
  const found = scoresInText(raw_arguments, question, isCutOff);
  return (
    found ?? { fault: { what: `The arguments of ${tool} were not a JSON object`, evidence: quote(raw_arguments) } }
  );
}

function scoresInAnswer({ content, tool_calls }: JudgeAnswer, question: VoteQuestion, isCutOff: boolean): Found {
  const tool = SCORING_TOOL_NAME;
  const others = tool_calls.map(({ name }) => name).join(', ');
  if (others !== '') return { fault: { what: `The answer called ${quote(others)} instead of ${tool}` } };
  if (!content?.trim()) return { fault: { what: 'The answer was empty' } };
  const found = scoresInText(content, question, isCutOff);
  return (
    found ?? { fault: { what: `The answer neither called ${tool} nor held a JSON object`, evidence: quote(content) } }
  );
}

/** Null when there is no JSON in the text. */
function scoresInText(text: string, question: VoteQuestion, isCutOff: boolean): Found | null {
  const written = writtenJsonIn(text);
  if (!written)
    return { fault: { what: 'The answer is too long, or has too many brackets, to be searched for scores' } };
  const { values, around } = written;
  const judgements: WrittenVote[] = [];
  let none: Fault | null = null;
  let isUnclear = false;
  for (const json of values) {
    const found = scoresInJson(json, question);
    if ('scores' in found) judgements.push({ source: json.source, scores: found.scores });
    else if (!found.isNone) return found;
    else {
      none ??= found.fault;
      isUnclear ||= mentionsScores(json.source, question);
    }
  }
  const [first, ...others] = judgements;
  if (!first) return none && { fault: none };
  if (isUnclear) return { fault: { what: 'The answer holds a second judgement, in a form that cannot be read' } };
  if (others.some(({ scores }) => !isSameVote(scores, first.scores))) {
    return { fault: { what: 'The answer holds several objects with scores that differ: only one may be yours' } };
  }
  if (!isOnlyFormatting(around)) {
    const fault = proseFault({ around, judgements, isCutOff }, question);
    if (fault) return { fault };
  }
  return { scores: first.scores };
}

interface WrittenVote {
  source: string;
  scores: VoteScores;
}

function scoresInJson({ value, source }: WrittenJson, question: VoteQuestion): Found {
  const found = scoresInValue(value, question, 'The JSON in the answer');
  const isNone = 'fault' in found && found.isNone;
  return !isNone && doubledKey(source) !== null ? { fault: doubledKeyFault(source) } : found;
}

function scoresInValue(value: unknown, { criteria }: VoteQuestion, where: string): Found {
  const found = claimedScores(value, criteria);
  if ('fault' in found || Object.keys(found.scores).length > 0) return found;
  const wanted = criteria.map(({ name }) => name).join(', ');
  const has = namedEntries(value).map(([name]) => name);
  const evidence = `it must score ${quote(wanted)}, but has ${quote(has.join(', ') || 'nothing')}.`;
  return { fault: { what: `${where} has no score in it`, evidence }, isNone: true };
}

/** What speaks against scores with words around them: they may be quoted, and the judge's own are somewhere else. */
function proseFault(
  { around, judgements, isCutOff }: { around: string; judgements: readonly WrittenVote[]; isCutOff: boolean },
  question: VoteQuestion,
): Fault | null {
  if (isCutOff) return { what: 'The answer broke off behind the scores it holds: they may not be its own' };
  if (judgements.every((judgement) => isQuoted(judgement, question))) {
    return { what: 'The answer only quotes scores from the material' };
  }
  if (mentionsScores(around, question)) {
    return { what: 'The answer holds scores outside of its JSON object, or a second one that is broken' };
  }
  return null;
}

function mentionsScores(text: string, { criteria }: VoteQuestion): boolean {
  return mentionsKey(text, [...criterionKeys(criteria)].flat().concat('score'));
}

/** Whether the material has the same judgement, to the letter or by its scores. */
function isQuoted({ source, scores }: WrittenVote, { criteria, material = '' }: VoteQuestion): boolean {
  if (squeezed(material).includes(squeezed(source))) return true;
  const shown = writtenJsonIn(material)?.values ?? [];
  return shown.some(({ value }) => {
    const found = claimedScores(value, criteria);
    return 'scores' in found && isSameVote(found.scores, scores);
  });
}

/** Nothing but a code fence and its language. */
function isOnlyFormatting(around: string): boolean {
  return /^[\s`]*(?:json[\s`]*)?$/i.test(around);
}

function isSameVote(a: VoteScores, b: VoteScores): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name]?.score === b[name]?.score);
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
