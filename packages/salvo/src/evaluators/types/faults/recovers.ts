import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { list } from '../../../text/words/value-words.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { EvalResult } from '../../eval-result.ts';
import type { Evaluation, Evaluator } from '../../evaluator.ts';

const RECOVERS = 'recovers';

/**
 * Alone it can only say whether there was a fault. `withRecovers` decides about the rest, when all other results are there. Until
 * then it does not count: judges ask for fewer votes if the trial is decided by others.
 */
export const evaluateRecovers: Evaluator<AssertionOf<'recovers'>> = (_, trace) => notApplicable(faultWords(trace));

/** The results with those of `recovers`: a fault happened, and every other assertion that counts passed. */
export function withRecovers(
  results: readonly EvalResult[],
  trace: Trace,
  toResult: (evaluation: Evaluation, index: number) => EvalResult,
): EvalResult[] {
  const faults = faultWords(trace);
  const others = results.filter(
    ({ assertion_type, weight, required }) => assertion_type !== RECOVERS && (weight > 0 || required),
  );
  const evaluation = evaluated(others, faults);
  return results.map((result, index) => (result.assertion_type === RECOVERS ? toResult(evaluation, index) : result));
}

function evaluated(others: readonly EvalResult[], faults: string | null): Evaluation {
  if (faults === null) return notApplicable(null);
  if (others.length === 0) return { score: null, details: 'there is no other assertion that counts' };
  const failed = others.find(({ status, passed }) => status === 'scored' && !passed);
  if (failed) return { score: 0, details: `the agent did not recover from ${faults}: ${failed.assertion_id} failed` };
  const open = others.find(({ status }) => status !== 'scored');
  if (open) return { score: null, details: `${open.assertion_id} could not be scored` };
  return { score: 1, details: `the agent recovered from ${faults}` };
}

function notApplicable(faults: string | null): Evaluation {
  const details = faults === null ? 'no fault happened in this trial' : `there was ${faults}`;
  return { score: null, isNotApplicable: true, details };
}

/** Null if there was none. */
function faultWords({ tool_calls_made }: Trace): string | null {
  const words = tool_calls_made.flatMap(({ name, fault }) =>
    fault ? [`${fault.kind} at call ${fault.call} of "${name}"`] : [],
  );
  if (words.length === 0) return null;
  return words.length <= 3 ? list(words, 'and') : `${words.length} faults, first ${words[0]}`;
}
