import type { MiddlewareHandler } from 'hono';
import { SalvoError } from '../text/errors/salvo-error.ts';

/** Reads one parameter of a query: all its values, none if it is not there. */
type Reader<Value> = (given: readonly string[], name: string) => Value;

type Given<Readers> = { [Name in keyof Readers]?: Readers[Name] extends Reader<string[]> ? string[] : string };
type Read<Readers> = { [Name in keyof Readers]: Readers[Name] extends Reader<infer Value> ? Value : never };

/** The parameters of a route, and so what the typed client of the page may give. `req.valid('query')` has their values. */
export function query<Readers extends Record<string, Reader<unknown>>>(
  readers: Readers,
): MiddlewareHandler<object, string, { in: { query: Given<Readers> }; out: { query: Read<Readers> } }> {
  return async ({ req }, next) => {
    const read = Object.entries(readers).map(([name, reader]) => [name, reader(req.queries(name) ?? [], name)]);
    req.addValidatedData('query', Object.fromEntries(read));
    await next();
  };
}

/** A text, or undefined. */
export const text: Reader<string | undefined> = ([given]) => given;

/** Each in a parameter of its own: the name of a model may contain any character. */
export const texts: Reader<string[]> = (given) => [...given];

/** A whole number, or undefined. */
export const whole: Reader<number | undefined> = ([given], name) =>
  given === undefined ? undefined : wholeNumber(name, given);

/** A whole number up to a limit, and the default if it is not there. */
export function wholeUpTo(most: number, missing: number = most): Reader<number> {
  return (given, name) => Math.min(whole(given, name) ?? missing, most);
}

/** Where a page of a list begins. */
export const ANY_OFFSET = wholeUpTo(Number.MAX_SAFE_INTEGER, 0);

/** A part of the path that must be a whole number. */
export function wholeNumber(name: string, given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new SalvoError('REQUEST_INVALID', `${name} must be a whole number.`);
  return Number(given);
}
