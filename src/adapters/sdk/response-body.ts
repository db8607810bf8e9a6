import type { z } from 'zod';
import { quoteOutput } from '../../text/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';

/**
 * The body of an answer: parsed when it is JSON, whatever its content type says; otherwise the text, to be quoted.
 * Read by us and not by the SDKs, which tell a broken body from a good one each in its own way, and take longer.
 */
export async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An answer that is not what the API promises: what is wrong with it, and how it begins. */
export function unreadableBody({ body, expected, problem }: { body: unknown; expected: string; problem: z.ZodError }) {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  // A page of many megabytes need not be trimmed and cleaned to quote its first lines.
  const quote = quoteOutput(text.slice(0, 2000), { length: 200 }).replace(/\s+/g, ' ');
  const issue = problem.issues[0];
  const where = typeof body === 'object' && issue ? ` (${issue.path.join('.')}: ${issue.message})` : '';
  return new AdapterError('bad_response', `The answer is not ${expected}${where}: ${quote || 'an empty body'}`);
}
