import type { z } from 'zod';
import { doubledKey } from '../../text/json/doubled-keys.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../../text/json/nesting.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';

/**
 * The body of an answer: parsed when it is JSON, whatever its content type; otherwise the text, to be quoted in an
 * error. The SDKs' own readers are slower, and each of them handles a broken body differently. A body with a key twice
 * in one object is an error: it could say two things.
 */
export async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  const json = jsonOrUndefined(text);
  if (json === undefined) return text;
  if (isNestedTooDeeply(json)) {
    const problem = `it is nested more than ${MAX_NESTING} levels deep`;
    throw new AdapterError('bad_response', `The answer could not be read: ${problem}.`);
  }
  const doubled = doubledKey(text);
  if (doubled === null) return json;
  const key = quoteOutput(doubled, { length: 80 });
  throw new AdapterError('bad_response', `The answer has the key "${key}" twice in one JSON object.`);
}

/** The error for an answer that is not in the API's format: what is wrong with it, and how it begins. */
export function unreadableBody({ body, expected, problem }: { body: unknown; expected: string; problem: z.ZodError }) {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  // Cut first: cleaning a page of many megabytes to quote its first lines would take long.
  const quote = quoteOutput(text.slice(0, 2000), { length: 200 }).replace(/\s+/g, ' ');
  const issue = problem.issues[0];
  const where = typeof body === 'object' && issue ? ` (${issue.path.join('.')}: ${issue.message})` : '';
  return new AdapterError('bad_response', `The answer is not ${expected}${where}: ${quote || 'an empty body'}`);
}
