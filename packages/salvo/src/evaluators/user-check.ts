import { withWorkLimit } from '../adapters/call/work-clock.ts';
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
  return await withWorkLimit({ seconds, timeoutError, abort: context.signal }, (signal) => {
    const own = {
      ...context,
      trialContext: trialContext && { ...trialContext, row: structuredClone(trialContext.row) },
      signal,
    };
    const properties = { [ORIGINAL]: { value: { scenario, recordedScenario } }, ...COPIED_WHEN_READ };
    return check(structuredClone(trace), Object.defineProperties(own, properties));
  });
}

const ORIGINAL = Symbol('the scenarios that are copied');
/**
 * Most checks read neither, so they are copied only when they are read. The getters are the same for all checks: V8 keeps
 * each getter, with all that it refers to, until a full garbage collection.
 */
const COPIED_WHEN_READ: PropertyDescriptorMap & ThisType<{ [ORIGINAL]: Scenarios }> = {
  scenario: {
    enumerable: true,
    get() {
      return structuredClone(this[ORIGINAL].scenario);
    },
  },
  recordedScenario: {
    enumerable: true,
    get() {
      return structuredClone(this[ORIGINAL].recordedScenario);
    },
  },
};

type Scenarios = Pick<EvaluationContext, 'scenario' | 'recordedScenario'>;
