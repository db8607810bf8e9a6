import { withWorkLimit } from '../models/call/work-clock.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../scenario/schema/scenario-schema.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import type { Trace } from '../trace/trace.ts';
import type { EvaluationContext } from './evaluator.ts';

/**
 * Calls a check of the user with copies of what other checks, the agent and other trials read as well. It may take as
 * long as a trial (`timeout_seconds`); after that it is given up, and its assertion is unscored.
 */
export async function callUserCheck<T>(
  { trace, context, name }: { trace: Trace; context: EvaluationContext; name: string },
  check: (trace: Trace, context: EvaluationContext & { signal: AbortSignal }) => T | Promise<T>,
): Promise<T> {
  const { trialContext, scenario, recordedScenario } = context;
  const seconds = scenario?.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS;
  const timeoutError = () =>
    new SalvoError('CHECK_TIMEOUT', `${name} did not end within ${seconds} s (timeout_seconds of the scenario).`);
  return await withWorkLimit({ seconds, timeoutError, abort: context.signal }, (signal) =>
    check(structuredClone(trace), {
      ...context,
      // Most checks read neither, so they are copied only when they are read.
      get scenario() {
        return structuredClone(scenario);
      },
      get recordedScenario() {
        return structuredClone(recordedScenario);
      },
      trialContext: trialContext && { ...trialContext, row: structuredClone(trialContext.row) },
      signal,
    }),
  );
}
