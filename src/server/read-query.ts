import type { Context } from 'hono';
import { SalvoError } from '../text/errors/salvo-error.ts';

/** A whole number of the query; undefined if it is not there. */
export function optionalQuery(context: Context, name: string): number | undefined {
  return context.req.query(name) === undefined ? undefined : wholeQuery(context, name, { default: 0 });
}

/** A whole number of the query, or the default if it is not there. */
export function wholeQuery(context: Context, name: string, limits: { default: number; most?: number }): number {
  const text = context.req.query(name);
  if (text === undefined) return limits.default;
  const number = wholeNumber(name, text);
  return Math.min(number, limits.most ?? number);
}

/** A part of the path that must be a whole number. */
export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new SalvoError('REQUEST_INVALID', `${name} must be a whole number.`);
  return Number(text);
}
