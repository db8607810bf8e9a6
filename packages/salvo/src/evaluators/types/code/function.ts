import type { CheckFunction } from '../../../scenario/code/scenario-definition.ts';
import { NO_HOOKS } from '../../../scenario/code/scenario-functions.ts';
import type { RegisteredAssertion } from '../../../scenario/schema/assertion-schema.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import type { Evaluator } from '../../evaluator.ts';
import { shorten } from '../../show-value.ts';
import { callUserCheck } from '../../user-check.ts';
import { addFinalState } from '../final-state.ts';
import { onReadTools } from '../tools/unseen-tools.ts';
import { readCustomResult } from './custom-result.ts';

/** Calls an assertion that is a function of a scenario in code. If it throws or returns no score, the trial is unscored. */
export const evaluateFunction: Evaluator<RegisteredAssertion> = async ({ id = '' }, trace, context) => {
  const check = context.checks?.get(id);
  if (!check) {
    throw new SalvoError(
      'CHECK_UNKNOWN',
      `The function of "${id}" is not here: it is in the file of the scenario, not in the stored run.`,
    );
  }
  return callUserCheck({ trace, context, name: `"${id}"` }, (copy, { trialContext, signal }) =>
    onReadTools({ trace: copy, scenario: context.scenario }, async (seen) => {
      const given = {
        runId: '',
        scenario: context.scenario?.name ?? '',
        case: '',
        row: {},
        trialNumber: context.trialNumber ?? 1,
        hooks: NO_HOOKS,
        ...trialContext,
        state: {},
        signal,
        output: copy.final_content ?? '',
        trace: seen,
      };
      addFinalState(given, trace, context);
      const called = trialContext?.hooks ? given : Object.defineProperty(given, 'hooks', { get: hooksAreMissing });
      const about = { name: `"${id}"`, source: sourceOf(check), output: trace.final_content };
      return readCustomResult(await check(called), about);
    }),
  );
};

function hooksAreMissing(): never {
  throw new SalvoError(
    'HOOKS_MISSING',
    'What the hooks made is gone: only the stored conversation was judged again. Run the scenario again.',
  );
}

const LONGEST_SOURCE = 160;

/** In one line, so that a report of a failure shows what was checked. */
function sourceOf(check: CheckFunction): string {
  return shorten(Function.prototype.toString.call(check).replaceAll(/\s+/g, ' '), LONGEST_SOURCE);
}
