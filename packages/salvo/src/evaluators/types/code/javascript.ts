import { dirname } from 'node:path';
import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import type { Trace } from '../../../trace/trace.ts';
import { type Evaluation, type EvaluationContext, type Evaluator, resolveFile } from '../../evaluator.ts';
import { NO_ANSWER, shorten } from '../../show-value.ts';
import { callUserCheck } from '../../user-check.ts';
import { onReadTools } from '../tools/unseen-tools.ts';
import { readCustomResult } from './custom-result.ts';
import { type InlineResult, runInlineCode } from './inline-threads.ts';

const LONGEST_SOURCE = 160;

/** Runs the code of the assertion. If it throws, does not end or gives no score, the trial is unscored. */
export const evaluateJavascript: Evaluator<AssertionOf<'javascript'>> = (assertion, trace, context) => {
  if ((trace.final_content ?? '').trim() === '') return NO_ANSWER;
  const source = shorten(assertion.code.trim().replaceAll(/\s+/g, ' '), LONGEST_SOURCE);
  return onReadTools({ trace: { ...trace }, scenario: context.scenario }, async (seen) => {
    const { value, hasReadTools } = await callInline(assertion.code, { trace, context, options: assertion.options });
    // Notes that they were read.
    if (hasReadTools) void seen.tool_calls_made;
    return withMinimum(
      readCustomResult(asOurs(value), { name: 'The code', source, output: trace.final_content }),
      assertion,
    );
  });
};

/** Calls code of the user that stands in a file as a text, within the time of a trial. */
export function callInline(
  code: string,
  of: { trace: Trace; context: EvaluationContext; options?: Record<string, unknown> | undefined },
): Promise<InlineResult> {
  const { trace, context, options = {} } = of;
  const { trialContext, scenario } = context;
  const row = trialContext?.row ?? {};
  const prompt = scenario?.prompt ?? trace.messages.find(({ role }) => role === 'user')?.content ?? '';
  const given = { output: trace.final_content ?? '', context: { vars: row, row, prompt, trace, options } };
  return callUserCheck({ trace, context, name: 'The code' }, (_, { signal }) =>
    runInlineCode(code, given, { folder: dirname(resolveFile('x', context)), signal }),
  );
}

/** `{pass, reason}`, as other tools write it, with the names that results have here. */
function asOurs(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { pass, reason, ...rest } = value;
  return { ...(pass !== undefined && { passed: pass }), ...(reason !== undefined && { details: reason }), ...rest };
}

/** A score without a verdict passes from `min`; without a minimum, every score above 0 does. */
function withMinimum(evaluation: Evaluation, { min }: Pick<AssertionOf<'javascript'>, 'min'>): Evaluation {
  const { score, passed, details } = evaluation;
  if (score === null || passed !== undefined) return evaluation;
  const hasPassed = min === undefined ? score > 0 : score >= min;
  const note = hasPassed || score === 0 ? '' : ` (it passes from ${min})`;
  return { ...evaluation, passed: hasPassed, details: `${details}${note}` };
}
