import { isRecord } from '../../text/json/is-record.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';

const MOST_LEVELS = 100;
const MOST_VALUES = 2_000_000;

/**
 * A copy of a value that has only what JSON can represent. Everything else is reported and left out. Undefined fields
 * are left out without a report, as if they had not been written.
 */
export function jsonValue(value: unknown, { path, report }: { path: Path; report: Report }): unknown {
  const above = new Set<object>();
  let count = 0;
  const refuse = (at: Path, message: string, code: 'not-json' | 'too-deep' | 'too-large' = 'not-json'): undefined => {
    report({ code, message, path: at });
    return undefined;
  };
  const copy = (part: unknown, at: Path): unknown => {
    count += 1;
    if (count > MOST_VALUES)
      return count === MOST_VALUES + 1 ? refuse(path, 'it is too large', 'too-large') : undefined;
    if (part === null || part === undefined || typeof part === 'string' || typeof part === 'boolean') return part;
    if (typeof part === 'number') {
      return Number.isFinite(part) ? part : refuse(at, `${part} is not a value that JSON can represent`);
    }
    if (typeof part === 'function') return refuse(at, 'a function cannot be used here');
    if (typeof part !== 'object') return refuse(at, `a ${typeof part} is not a value that JSON can represent`);
    if (above.has(part)) return refuse(at, 'the value contains itself');
    if (above.size >= MOST_LEVELS)
      return refuse(at, `values are nested more than ${MOST_LEVELS} levels deep`, 'too-deep');
    above.add(part);
    try {
      if (Array.isArray(part)) return Array.from(part, (entry: unknown, index) => copy(entry, [...at, index]) ?? null);
      if (!isPlain(part))
        return refuse(at, `a ${part.constructor?.name || 'special'} object is not a value that JSON can represent`);
      return Object.fromEntries(
        Object.entries(part).flatMap(([key, entry]) => {
          const copied = copy(entry, [...at, key]);
          return copied === undefined ? [] : [[key, copied]];
        }),
      );
    } finally {
      above.delete(part);
    }
  };
  return copy(value, path);
}

function isPlain(value: object): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm, such as that of a test runner, has another `Object.prototype`.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
