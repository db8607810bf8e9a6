import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { importFunction } from '../../../text/modules/import-function.ts';
import type { Trace } from '../../../trace/trace.ts';
import { type EvaluationContext, type Evaluator, resolveFile } from '../../evaluator.ts';
import { callUserCheck } from '../../user-check.ts';
import { addFinalState } from '../final-state.ts';
import { onReadTools } from '../tools/unseen-tools.ts';
import { readCustomResult } from './custom-result.ts';

type CustomAssertion = AssertionOf<'custom'>;

/** The second argument of the function of a `custom` assertion, after the trace. */
export interface CustomAssertionContext extends EvaluationContext {
  /** The `options` of the assertion; empty if it has none. */
  options: Record<string, unknown>;
  /** The state document at the end of the trial; empty if the scenario has none. Reading it throws if it is not known. */
  state: Record<string, unknown>;
}

/** Calls a function of the user. If it throws or returns no score, the trial is unscored. */
export const evaluateCustom: Evaluator<CustomAssertion> = async (assertion, trace, context) => {
  const name = `${assertion.module}${assertion.function ? ` (${assertion.function})` : ''}`;
  const file = resolveFile(assertion.module, context);
  const check = await importFunction<CustomFunction>(file, assertion.function ?? 'default');
  const options = structuredClone(assertion.options ?? {});
  return callUserCheck({ trace, context, name }, (copy, own) =>
    onReadTools({ trace: copy, scenario: context.scenario }, async (seen) =>
      readCustomResult(await check(seen, addFinalState(Object.assign(own, { options }), trace, context)), {
        name,
        output: trace.final_content,
      }),
    ),
  );
};

type CustomFunction = (trace: Trace, context: CustomAssertionContext) => unknown;
