import type { StateChange } from '../../scenario/schema/tool-schema.ts';
import { compileExpression } from '../../text/json/expression.ts';
import { copyJson } from '../../text/json/json-changes.ts';

/** What expressions of a mock read. */
interface Seen {
  state: Record<string, unknown>;
  arguments: Record<string, unknown>;
}

/**
 * Makes the changes of a mock in the state document. Each sees what the ones before it made. Returns why one could not be
 * made, and makes no further one then; null if all were made.
 */
export function changeState(changes: readonly StateChange[], seen: Seen): string | null {
  for (const { path, value, value_from } of changes) {
    const steps = stepsOf(path, seen);
    if (typeof steps === 'string') return steps;
    const made = value_from === undefined ? value : compileExpression(value_from)(seen);
    const problem = setAt(seen.state, steps, copyJson(made));
    if (problem !== null) return problem;
  }
  return null;
}

type Step = string | number;

/** A text says why the path has no meaning for this call. */
function stepsOf(path: StateChange['path'], seen: Seen): Step[] | string {
  const steps: Step[] = [];
  for (const step of typeof path === 'string' ? splitPath(path) : path) {
    const filled = typeof step === 'string' ? filledIn(step, seen) : step;
    if (filled === null) return `the path ${[path].flat().join('.')} has no value here for ${step}`;
    steps.push(filled);
  }
  return steps;
}

const IN_BRACES = /(\{[^{}]*\})/;

/** At its dots, but not at those inside of braces. */
function splitPath(path: string): string[] {
  const steps = [''];
  for (const [index, part] of path.split(IN_BRACES).entries()) {
    const [first = '', ...further] = index % 2 === 1 ? [part] : part.split('.');
    steps.push(`${steps.pop()}${first}`, ...further);
  }
  return steps;
}

/** With the values of the expressions in braces; null if one is neither a text nor a number, nor true or false. */
function filledIn(step: string, seen: Seen): Step | null {
  const parts = step.split(IN_BRACES).map((part, index) => {
    const value = index % 2 === 1 ? compileExpression(part.slice(1, -1))(seen) : part;
    return typeof value === 'object' ? null : value;
  });
  if (parts.includes(null)) return null;
  const [only] = parts.filter((part) => part !== '');
  return typeof only === 'number' && parts.join('') === String(only) ? only : parts.join('');
}

/** Only the last step may be new: an id that is not in the state is a mistake of the caller, and no new entry. */
function setAt(state: Record<string, unknown>, steps: readonly Step[], value: unknown): string | null {
  let holder: object = state;
  for (const [index, step] of steps.entries()) {
    const place = steps.slice(0, index + 1).join('.');
    const key = Array.isArray(holder) ? positionIn(holder, step) : step;
    if (key === null) return `there is no ${place}`;
    if (index === steps.length - 1) {
      Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
      return null;
    }
    const next: unknown = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
    if (typeof next !== 'object' || next === null) return `there is no ${place}`;
    holder = next;
  }
  return null;
}

/** Null if the list has no such place. Its end is one. */
function positionIn({ length }: readonly unknown[], step: Step): number | null {
  if (step === '-') return length;
  return /^\d+$/.test(String(step)) && Number(step) <= length ? Number(step) : null;
}
