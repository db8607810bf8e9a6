import type { Context } from 'hono';
import { z } from 'zod';
import { SalvoError } from '../text/errors/salvo-error.ts';

const LONGEST_BODY = 1_000_000;

/** The JSON in the body of a request, checked. Nothing is the same as an empty object. */
export async function readBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  if (Number(context.req.header('content-length') ?? 0) > LONGEST_BODY) throw wrongBody('It is too long.');
  const text = await context.req.text();
  if (text.length > LONGEST_BODY) throw wrongBody('It is too long.');
  const read = schema.safeParse(text === '' ? {} : parsed(text));
  if (read.success) return read.data;
  throw wrongBody(z.prettifyError(read.error));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongBody('It is no JSON.');
  }
}

function wrongBody(why: string): SalvoError {
  return new SalvoError('WRONG_BODY', `The request cannot be read. ${why}`);
}
