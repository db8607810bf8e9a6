import { z } from 'zod';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import type { Evaluation } from '../../evaluator.ts';
import { showValue } from '../../show-value.ts';

const scoreSchema = z.number().min(0).max(1);

const customResultSchema = z.union([
  z.boolean().transform((passed): Evaluation => ({ score: passed ? 1 : 0, details: '' })),
  scoreSchema.transform((score): Evaluation => ({ score, details: '' })),
  z.object({
    /** Null: could not be scored. */
    score: scoreSchema.nullable(),
    passed: z.boolean().optional(),
    details: z.string().default(''),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  z
    .object({ passed: z.boolean(), score: z.undefined().optional(), details: z.string().default('') })
    .transform(({ passed, details }): Evaluation => ({ score: passed ? 1 : 0, details })),
]);

/** What a function that checks a trace may return: a verdict, a score, or either of them with its reasons. */
export type CustomAssertionResult = z.input<typeof customResultSchema>;

/**
 * Throws if it is none of these. A result without reasons gets what was returned, and for which answer of the agent.
 * `name` is the function, as the start of a sentence; `source` is its text, if that says more.
 */
export function readCustomResult(
  answer: unknown,
  { name, source = name, output }: { name: string; source?: string | undefined; output: string | null },
): Evaluation {
  const result = customResultSchema.safeParse(answer);
  if (!result.success) {
    throw new SalvoError(
      'CUSTOM_RESULT_INVALID',
      `${name} returned ${showValue(answer)}: return true or false, a number from 0 to 1, {passed, details} or {score, passed, details}.`,
    );
  }
  const { score, passed, details } = result.data;
  const returned = typeof answer === 'boolean' || typeof answer === 'number' ? answer : (passed ?? score);
  return { ...result.data, details: details || `${source} gave ${showValue(returned)} for ${showValue(output)}` };
}
