import { isRecord } from '../../text/json/is-record.ts';

type Arguments = Record<string, unknown>;

const LONGEST_WORD = 60;
const MOST_WORDS = 4;
const LONGEST_VALUE = 200;

/** Whether an argument is prose, which an agent words differently each time: a message, a reason, a whole file. */
function isProse(value: unknown): boolean {
  if (typeof value === 'string') {
    return (
      value.length > LONGEST_WORD ||
      value.includes('\n') ||
      value.trim().split(/\s+/, MOST_WORDS + 1).length > MOST_WORDS
    );
  }
  return (JSON.stringify(value) ?? '').length > LONGEST_VALUE;
}

/** The arguments of a call without prose. */
export function tellingArguments(args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(exactArguments(args)).filter(([, value]) => !isProse(value)));
}

/** Without numbers that are too large to be exact, which a scenario file cannot have. */
export function exactArguments(args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => isExact(value)));
}

/** Whether all numbers in it are exact. */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value);
  if (Array.isArray(value)) return value.every(isExact);
  return !isRecord(value) || Object.values(value).every(isExact);
}

/** Arguments as assertions and mocks demand them. Data whose keys begin with `$` would be read as a matcher. */
export function demandedArguments(args: Arguments): Arguments {
  if (Object.keys(args).some((key) => key.startsWith('$'))) return { $equals: args };
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, hasMatcherKey(value) ? { $equals: value } : value]),
  );
}

function hasMatcherKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasMatcherKey);
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([key, part]) => key.startsWith('$') || hasMatcherKey(part));
}

/** How many values there are in it, at any depth. What demands more of them is more particular. */
export function valueCount(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + valueCount(part), 1);
  if (!isRecord(value)) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + valueCount(part), 1);
}

/** The texts and numbers in it, each with the name of the argument that it belongs to. */
export function leavesOf(args: Arguments): { name: string; value: string | number }[] {
  const leaves: { name: string; value: string | number }[] = [];
  const walk = (name: string, value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') leaves.push({ name, value });
    else if (Array.isArray(value)) for (const part of value) walk(name, part);
    else if (isRecord(value)) for (const part of Object.values(value)) walk(name, part);
  };
  for (const [name, value] of Object.entries(args)) walk(name, value);
  return leaves;
}
