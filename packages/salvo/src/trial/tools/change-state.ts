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
    const made = value_from === undefined ? value : compileExpression(value_from)(seen);
    const problem = setAt(seen.state, steps, copyJson(made));
    if (problem !== null) return problem;
  }
  return null;
}

type Step = string | number;

function stepsOf(path: StateChange['path'], seen: Seen): Step[] {
  const written = typeof path === 'string' ? splitPath(path) : path;
  return written.map((step) => (typeof step === 'string' ? filledIn(step, seen) : step));
}

/** At its dots, but not at those inside of braces. */
export function splitPath(path: string): string[] {
  return path.match(/(?:\{[^{}]*\}|[^.])+/g) ?? [];
}

/** The expressions in braces that a path has. */
export function expressionsIn(path: string): string[] {
  return Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, expression = '']) => expression);
}

function filledIn(step: string, seen: Seen): Step {
  const [only, ...others] = expressionsIn(step);
  if (only !== undefined && others.length === 0 && step === `{${only}}`) {
    const value = compileExpression(only)(seen);
    return typeof value === 'number' ? value : textOf(value);
  }
  return step.replace(/\{([^{}]*)\}/g, (_, expression: string) => textOf(compileExpression(expression)(seen)));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Only the last step may be new: an id that is not in the state is a mistake of the caller, and no new entry. */
function setAt(state: Record<string, unknown>, steps: readonly Step[], value: unknown): string | null {
  let holder: object = state;
  for (const [index, step] of steps.entries()) {
    const place = steps.slice(0, index + 1).join('.');
    const key = Array.isArray(holder) && step === '-' ? holder.length : step;
    if (Array.isArray(holder) && !isPosition(key, holder.length)) return `there is no ${place}`;
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

function isPosition(key: Step, length: number): boolean {
  return /^\d+$/.test(String(key)) && Number(key) <= length;
}
