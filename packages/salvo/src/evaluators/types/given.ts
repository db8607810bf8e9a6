import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Evaluation, Evaluator } from '../evaluator.ts';

/** Passes if the file that a conversation was imported from says that it passed. Salvo judges nothing here. */
export const evaluateGiven: Evaluator<AssertionOf<'given'>> = (_assertion, trace) => givenEvaluation(trace);

/** What the file of an imported conversation says about its outcome. */
export function givenEvaluation({ imported }: Pick<Trace, 'imported'>): Evaluation {
  if (!imported) return { score: null, details: 'the conversation was not imported, so no outcome was given with it' };
  const { given } = imported;
  if (!given) return { score: null, details: 'the imported file does not say how the conversation ended' };
  const { passed, reward, pass_at: passAt, scores } = given;
  const says = passed ? 'passed' : 'did not pass';
  const of =
    reward === null ? `it ${says}` : `reward ${reward}${passAt === null ? `, ${says}` : besides(reward, passAt)}`;
  const isShare = reward !== null && reward >= 0 && reward <= 1;
  return {
    score: isShare ? reward : Number(passed),
    passed,
    details: `the file says: ${of}`,
    metadata: { given: true, ...(Object.keys(scores).length > 0 && { scores }) },
  };
}

function besides(reward: number, passAt: number): string {
  return reward < passAt ? `, below ${passAt}` : '';
}
