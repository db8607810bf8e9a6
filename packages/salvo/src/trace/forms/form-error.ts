import type { z } from 'zod';
import { quoteOutput } from '../../text/output/quote-output.ts';

/** A message, or a part of one, is in no form that Salvo knows. The message begins with its place. */
export class FormError extends Error {
  /** Where it is, and what is wrong with it, as the end of a sentence. */
  readonly place: string;
  readonly problem: string;

  constructor(place: string, problem: string) {
    // A field of the reply itself needs no more than its name.
    super(`${quoteOutput(place.replace(/^the reply\./, ''))} ${problem}`);
    this.name = 'FormError';
    this.place = place.replace(/:$/, '');
    this.problem = problem;
  }
}

/** Checks a value of the agent against a schema, and says where it is wrong. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = dotPath(issue?.path ?? []);
  const at = path === '' || path.startsWith('[') ? `${place}${path}` : `${place}.${path}`;
  throw new FormError(`${at}:`, quoteOutput(issue?.message ?? 'invalid'));
}

/** As zod writes paths, which the processes of agents do without. */
function dotPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, key) => {
    if (typeof key === 'number') return `${before}[${key}]`;
    const name = String(key);
    if (typeof key === 'symbol' || /[^\w$]/.test(name)) return `${before}[${JSON.stringify(name)}]`;
    return before === '' ? name : `${before}.${name}`;
  }, '');
}

/** Nothing is skipped: what has an unknown type is refused by its name. */
export function unknownType(place: string, type: unknown, known: Iterable<string>): FormError {
  const what = typeof type === 'string' ? `has the type "${quoteOutput(type, { length: 60 })}"` : 'has no "type"';
  return new FormError(place, `${what}, which Salvo does not know. Known are: ${[...known].sort().join(', ')}`);
}
