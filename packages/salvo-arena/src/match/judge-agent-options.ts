import { MATCHER_NAMES, type MatcherName, type MatcherOptions } from './candidates/matcher.ts';
import { JudgeError } from './claims/judge-error.ts';
import { type Llm, type LlmOptions, resolveLlm } from './llm/llm-options.ts';
import type { MatchSettings } from './results/pairing.ts';

type AssignmentKind = MatchSettings['assignment'];

export interface JudgeAgentOptions {
  /** The lowest score of a match: 0.4 with the documented matcher, 0.55 with the evidence matcher, if not given. */
  matchThreshold?: number | undefined;
  /** The lowest score of an exact match. */
  exactThreshold?: number | undefined;
  matcher?: MatcherName | undefined;
  assignment?: AssignmentKind | undefined;
  /** With the evidence matcher, `same`: "not encrypted with a key of one's own" counts as "not encrypted". */
  keys?: MatcherOptions['keys'];
  /** Models decide the pairs that the matcher leaves unclear: then call `scoreAsync`. */
  llm?: LlmOptions | null | undefined;
}

export interface JudgeSettings extends MatchSettings {
  matcher: MatcherName;
  keys: NonNullable<MatcherOptions['keys']>;
  llm: Llm | null;
}

/** The documented formula says 0.4. The scores of the evidence matcher are probabilities. */
const MATCH_THRESHOLDS: Readonly<Record<MatcherName, number>> = { documented: 0.4, evidence: 0.55 };
/** The lowest score of a match of the evidence matcher. @internal */
export const EVIDENCE_THRESHOLD = MATCH_THRESHOLDS.evidence;

const ASSIGNMENTS: readonly AssignmentKind[] = ['optimal', 'greedy'];

/** The options with their defaults; throws a `JudgeError` when a value is not allowed. */
export function resolveJudgeOptions(options: JudgeAgentOptions | null = {}): JudgeSettings {
  const { matcher = 'documented', assignment = 'optimal', keys = 'different', llm } = options ?? {};
  checkName('matcher', matcher, MATCHER_NAMES);
  const matchThreshold = options?.matchThreshold ?? MATCH_THRESHOLDS[matcher];
  checkThreshold('matchThreshold', matchThreshold);
  const stated = options?.exactThreshold ?? 0.7;
  checkThreshold('exactThreshold', stated);
  // A match threshold above the exact one asks for stricter matches, so all of them are exact.
  const exactThreshold = Math.max(stated, matchThreshold);
  checkName('assignment', assignment, ASSIGNMENTS);
  checkName('keys', keys, ['different', 'same']);
  return {
    matchThreshold,
    exactThreshold,
    matcher,
    assignment,
    keys,
    llm: llm ? resolveLlm(llm, { matchThreshold, exactThreshold }) : null,
  };
}

function checkThreshold(option: string, value: unknown): void {
  if (typeof value === 'number' && value >= 0 && value <= 1) return;
  throw badOption(option, value, 'Set it to a number from 0 to 1');
}

function checkName(option: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw badOption(option, value, `Set it to one of: ${known.join(', ')}`);
}

function badOption(option: string, value: unknown, advice: string): JudgeError {
  const quoted = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new JudgeError('OPTIONS_INVALID', `Option ${option} is ${quoted}. ${advice}.`);
}
