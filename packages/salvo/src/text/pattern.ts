import { errorMessage, SalvoError } from './errors/salvo-error.ts';
import { memoByWord } from './memo.ts';
import { requireDependency } from './modules/dependency.ts';

/** From `start` up to `end` of a text. */
export interface TextSpan {
  start: number;
  end: number;
}

export interface Pattern {
  /** Whether the pattern matches somewhere in the text. */
  test(text: string): boolean;
  /** Where it matches, in order. Empty matches are left out. */
  matches(text: string): TextSpan[];
}

const MAX_LENGTH = 10_000;

/**
 * A regular expression in RE2 syntax. Matching takes linear time for every pattern, so neither a scenario nor a model's
 * answer can make it hang. In return, there is no lookaround and there are no backreferences.
 */
export const compilePattern = memoByWord(createPattern, MAX_LENGTH, 500);

/**
 * Whether a pattern surely matches every text, because it matches the empty text wherever it is: `x*` does, `^$` does
 * not. Tried between two letters, after a letter and in an empty text, which excludes every kind of anchor.
 */
export function matchesEveryText(pattern: string): boolean {
  try {
    return (
      // Already compiled, unlike the others, and false for most.
      compilePattern(pattern).test('') &&
      compilePattern(`^a(?:${pattern})a$`).test('aa') &&
      compilePattern(`^a(?:${pattern}) $`).test('a ') &&
      compilePattern(`^(?:${pattern})$`).test('')
    );
  } catch {
    return false;
  }
}

function createPattern(pattern: string): Pattern {
  if (pattern.length > MAX_LENGTH) throw new PatternError(`it is longer than ${MAX_LENGTH} characters`);
  const program = compile(pattern);
  return {
    test: (text) => program.matcher(text).find(),
    matches(text) {
      const found: TextSpan[] = [];
      const matcher = program.matcher(text);
      while (matcher.find()) {
        if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end() });
      }
      return found;
    },
  };
}

function compile(pattern: string) {
  const { RE2JS }: typeof import('re2js') = requireDependency('re2js');
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    // Translates JavaScript syntax such as \u00e9. It would turn a backreference into plain letters, so not for those.
    if (!unsupported(pattern)) {
      try {
        return RE2JS.compile(RE2JS.translateRegExp(pattern));
      } catch {}
    }
    throw new PatternError(explain(pattern, error), error);
  }
}

class PatternError extends SalvoError {
  constructor(reason: string, cause?: unknown) {
    super('PATTERN_INVALID', `The regular expression cannot be compiled: ${reason}.`, { cause });
  }
}

function explain(pattern: string, error: unknown): string {
  const feature = unsupported(pattern);
  if (feature) {
    return `${feature.name} are not supported, because such patterns can take forever on some texts`;
  }
  const reason = errorMessage(error);
  return reason.replace(/^error parsing regexp: /, '').slice(0, 200);
}

function unsupported(pattern: string) {
  return UNSUPPORTED.find(({ syntax }) => syntax.test(pattern));
}

const UNSUPPORTED = [
  { syntax: /\(\?<?[=!]/, name: 'lookaheads and lookbehinds, (?=...) and the like,' },
  { syntax: /\\[1-9k]/, name: 'backreferences, \\1 and the like,' },
  { syntax: /\(\?>|[*+?}]\+/, name: 'atomic groups and possessive quantifiers' },
];
