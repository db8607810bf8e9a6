import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { didYouMean, suggestion } from '../../text/words/did-you-mean.ts';
import { aValue, kindOf, kindOfValue, list } from '../../text/words/value-words.ts';
import { type Path, valueAt } from './located-value.ts';
import type { Problem } from './problem.ts';

export type SchemaResult<T> = { data: T; problems: [] } | { data: null; problems: Problem[] };

/** Checks a value with a zod schema and explains every problem in plain words, with its path. */
export function checkSchema<T>(schema: z.ZodType<T>, value: unknown, path: Path = []): SchemaResult<T> {
  // A file is checked once: compiling its schema first, as zod does, would take longer.
  const result = schema.safeParse(value, { jitless: true, error: allowedKeys });
  if (result.success) return { data: result.data, problems: [] };
  const problems = result.error.issues.flatMap((issue) => explain(value, issue));
  return { data: null, problems: problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] })) };
}

/** Per map. More unknown keys mean that the wrong file was given, and a suggestion for each takes time. */
const MAX_UNKNOWN_KEYS = 200;
/** How zod begins a message about a wrong type, if the schema has none. */
const DEFAULT_MESSAGE = 'Invalid input';
const URL_EXPECTED = 'this should be a URL, such as https://example.com/v1';

/** The message about unknown keys: the keys that the map may have, of which only the schema of the map knows. */
function allowedKeys({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  return code === 'unrecognized_keys' && inst instanceof z.ZodObject ? Object.keys(inst.shape).join(' ') : undefined;
}

function explain(checked: unknown, issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const value = valueAt(checked, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownKeys(value, issue, path);
    case 'invalid_union':
      return unionProblems(checked, issue, path);
    case 'invalid_type':
      return [{ ...typeProblem([issue.expected], value, path), ...ownHint(issue, value) }];
    case 'invalid_value':
      return [choiceProblem(issue.values.map(String), value, path)];
    case 'invalid_format':
      return [{ code: 'invalid-value', message: issue.format === 'url' ? URL_EXPECTED : issue.message, path }];
    case 'too_small':
    case 'too_big':
      return [{ code: 'invalid-value', message: sizeMessage(issue, path), path }];
    case 'invalid_key':
      return [{ code: 'invalid-key', message: issue.issues[0]?.message ?? 'this key cannot be used', path, at: 'key' }];
    default:
      return [{ code: 'invalid-value', message: issue.message, path }];
  }
}

function unknownKeys(map: unknown, { keys, message }: z.core.$ZodIssueUnrecognizedKeys, path: Path): Problem[] {
  const allowed = message.split(' ').filter(Boolean);
  return keys.slice(0, MAX_UNKNOWN_KEYS).map((key) => {
    const problem = unknownKey({ key, allowed, path });
    // In `{ reason: slow, see issue 7 }`, the second half is a key without a value.
    const isText = key.includes(' ') && valueAt(map, [key]) === null && problem.meant === undefined;
    return isText ? { ...problem, hint: 'if it belongs to the text before it, put that text in quotes' } : problem;
  });
}

/** The map at `path` cannot have this key. */
export function unknownKey({ key, allowed, path }: { key: string; allowed: string[]; path: Path }): Problem {
  return {
    code: 'unknown-key',
    message: `unknown key "${key}"`,
    hint: suggestion(key, allowed, allowed.length > 0 ? `allowed here: ${allowed.join(', ')}` : undefined),
    meant: didYouMean(key, allowed),
    path: [...path, key],
    at: 'key',
  };
}

function unionProblems(checked: unknown, issue: z.core.$ZodIssueInvalidUnion, path: Path): Problem[] {
  if (issue.discriminator !== undefined) {
    const { options } = z.object({ options: z.array(z.string()).catch([]) }).parse(issue);
    return [
      ...misspeltDiscriminator(checked, issue.discriminator, path.slice(0, -1)),
      choiceProblem(options, valueAt(checked, path), path),
    ];
  }
  // The option whose type fits gives a better message than "neither fits".
  const meant = issue.errors
    .filter((issues) => !issues.some(({ code, path: inner }) => code === 'invalid_type' && inner.length === 0))
    .sort((a, b) => a.length - b.length || hasUnknownKeys(a) - hasUnknownKeys(b))[0];
  const kinds = issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []));
  const [choice] = meant ?? [];
  if (choice?.code === 'invalid_value' && choice.path.length === 0) {
    return [choiceProblem(choice.values.map(String), valueAt(checked, path), path, kinds)];
  }
  if (meant) {
    return meant.flatMap((inner) => explain(checked, { ...inner, path: [...issue.path, ...inner.path] }));
  }
  const value = valueAt(checked, path);
  return [{ ...typeProblem(kinds, value, path), ...ownHint(issue, value) }];
}

/** Of several options that fit equally well, the one that knows the keys is meant. */
function hasUnknownKeys(issues: readonly z.core.$ZodIssue[]): number {
  return issues.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0) ? 1 : 0;
}

/** Zod checks no other key of a map without its discriminator, so a misspelt discriminator is found here. */
function misspeltDiscriminator(checked: unknown, name: string, path: Path): Problem[] {
  const map = valueAt(checked, path);
  if (!isRecord(map) || Object.hasOwn(map, name)) return [];
  const misspelt = Object.keys(map).find((key) => didYouMean(key, [name]));
  return misspelt === undefined ? [] : [unknownKey({ key: misspelt, allowed: [name], path })];
}

function typeProblem(expected: string[], value: unknown, path: Path): Problem {
  if (value === undefined) return missingKey(path);
  const wanted = list([...new Set(expected.map(kindOf))], 'or');
  return {
    code: 'wrong-type',
    message: `${subject(path)} should be ${wanted}, but is ${kindOfValue(value)}`,
    hint: typeHint(expected, value),
    path,
  };
}

/** A schema that has its own words for a value of the wrong type says there what to write instead. */
function ownHint({ message }: z.core.$ZodIssue, value: unknown): { hint?: string } {
  return value === undefined || message.startsWith(DEFAULT_MESSAGE) ? {} : { hint: message };
}

function typeHint(expected: string[], value: unknown): string | undefined {
  if (expected.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    return `put it in quotes: "${value}"`;
  }
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) {
    return expected.some((kind) => kind === 'number' || kind === 'int') ? 'remove the quotes' : undefined;
  }
  return expected.includes('array') && value !== null ? 'begin each entry of a list with "- "' : undefined;
}

export function missingKey(path: Path, hint?: string): Problem {
  return { code: 'missing-key', message: `${subject(path)} is missing`, hint, path };
}

/** `kinds` may be written, too. */
function choiceProblem(choices: string[], value: unknown, path: Path, kinds: readonly string[] = []): Problem {
  const others = [...new Set(kinds.map(kindOf))];
  const all = `choose one of ${choices.join(', ')}${others.length > 0 ? `, or write ${list(others, 'or')}` : ''}`;
  if (value === undefined) return missingKey(path, all);
  return {
    code: 'invalid-value',
    message: `${subject(path)} cannot be ${aValue(value)}`,
    hint: typeof value === 'string' ? suggestion(value, choices, all) : all,
    path,
  };
}

function sizeMessage(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, path: Path): string {
  const small = issue.code === 'too_small';
  const limit = Number(small ? issue.minimum : issue.maximum);
  const it = subject(path);
  if (issue.origin === 'string' || issue.origin === 'array') {
    if (small && limit === 1) return `${it} must not be empty`;
    const unit = issue.origin === 'string' ? 'characters' : 'entries';
    return `${it} must have at ${small ? 'least' : 'most'} ${limit} ${unit}`;
  }
  if (issue.inclusive === false) return `${it} must be ${small ? 'greater' : 'less'} than ${limit}`;
  return `${it} must be at ${small ? 'least' : 'most'} ${limit}`;
}

function subject(path: Path): string {
  const last = path.at(-1);
  if (typeof last === 'string') return `"${last}"`;
  return last === undefined ? 'the file' : 'this entry';
}
