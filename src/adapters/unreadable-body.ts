import type { z } from 'zod';
import { quoteOutput } from '../text/quote-output.ts';
import { AdapterError } from './adapter-error.ts';

/** An answer that is not what the API promises: what is wrong with it, and how it begins. */
export function unreadableBody({ body, expected, problem }: { body: unknown; expected: string; problem: z.ZodError }) {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  // A page of many megabytes need not be trimmed and cleaned to quote its first lines.
  const quote = quoteOutput(text.slice(0, 2000), { length: 200 }).replace(/\s+/g, ' ');
  const issue = problem.issues[0];
  const where = typeof body === 'object' && issue ? ` (${issue.path.join('.')}: ${issue.message})` : '';
  return new AdapterError('bad_response', `The answer is not ${expected}${where}: ${quote || 'an empty body'}`);
}
