import type { MatcherName } from './candidates/matcher.ts';
import { JudgeError } from './claims/judge-error.ts';
import { type Llm, type LlmOptions, resolveLlm } from './llm/llm-options.ts';

type AssignmentKind = 'optimal' | 'greedy';

export interface JudgeAgentOptions {
  /** The lowest score of a match. */
  matchThreshold?: number | undefined;
  /** The lowest score of an exact match. */
  exactThreshold?: number | undefined;
  matcher?: MatcherName | undefined;
  assignment?: AssignmentKind | undefined;
  /** Has models decide the pairs that the matcher leaves unclear: then call `scoreAsync`. */
  llm?: LlmOptions | null | undefined;
}

export interface JudgeSettings {
  matchThreshold: number;
  exactThreshold: number;
  matcher: MatcherName;
  assignment: AssignmentKind;
  llm: Llm | null;
}

const MATCHERS: readonly MatcherName[] = ['documented', 'evidence'];
const ASSIGNMENTS: readonly AssignmentKind[] = ['optimal', 'greedy'];

/** The options with their defaults; throws a `JudgeError` when they make no sense. */
export function resolveJudgeOptions(options: JudgeAgentOptions | null = {}): JudgeSettings {
  const { matchThreshold = 0.4, matcher = 'documented', assignment = 'optimal', llm } = options ?? {};
  checkThreshold('matchThreshold', matchThreshold);
  const stated = options?.exactThreshold ?? 0.7;
  checkThreshold('exactThreshold', stated);
  // Who only raises the threshold of a match wants stricter matches, which are then all exact.
  const exactThreshold = Math.max(stated, matchThreshold);
  checkName('matcher', matcher, MATCHERS);
  checkName('assignment', assignment, ASSIGNMENTS);
  return {
    matchThreshold,
    exactThreshold,
    matcher,
    assignment,
    llm: llm ? resolveLlm(llm, { matchThreshold, exactThreshold }) : null,
  };
}

function checkThreshold(option: string, value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw wrong(`${option} is ${shown(value)}. Set it to a number from 0 to 1`);
  }
}

function checkName(option: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw wrong(`${option} is ${shown(value)}. Set it to one of: ${known.join(', ')}`);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function wrong(problem: string): JudgeError {
  return new JudgeError('bad_option', `Option ${problem}.`);
}
