import type { Judgement, JudgeRequest } from '../../../judge/judge-trace.ts';
import { judgePair, type PairRequest } from '../../../judge/pairwise/judge-pair.ts';
import type { JudgeAssertion } from '../../../judge/scenario-judges.ts';
import { traceFrom } from '../../../trace/trace-from.ts';
import type { Evaluation, EvaluationContext } from '../../evaluator.ts';

/** Compares the answer of a trial with a reference, or with that of another run. */
export async function evaluatePair(
  assertion: JudgeAssertion,
  asked: JudgeRequest,
  context: EvaluationContext,
): Promise<Evaluation> {
  const request = await pairRequest(assertion, asked, context);
  if ('problem' in request) return { score: null, details: `judge_no_other_answer: ${request.problem}` };
  return evaluationOf(await judgePair(request));
}

/** What the judges are asked, or why there is nothing to compare with. */
async function pairRequest(
  assertion: JudgeAssertion,
  request: JudgeRequest,
  context: Pick<EvaluationContext, 'otherAnswer'>,
): Promise<PairRequest | { problem: string }> {
  const { against = 'reference', reference = '', require = 'tie' } = assertion;
  if (against === 'reference') {
    if (reference.trim() === '') return { problem: 'the reference is empty' };
    return { ...request, other: traceFrom({ response: reference }), against: { kind: 'reference' }, require };
  }
  const found = (await context.otherAnswer?.(against)) ?? {
    problem: `the answers of run ${against} are not known here: run the scenario with \`salvo run\``,
  };
  if ('problem' in found) return found;
  const { trace: other, run_id, trial_number, trace_id } = found;
  const subject = request.subject && `${request.subject} against trial ${trial_number} of ${trace_id ?? run_id}`;
  return { ...request, subject, other, against: { kind: 'run', run_id, trial_number, trace_id }, require };
}

function evaluationOf({ score, passed, metadata }: Judgement): Evaluation {
  const { pairwise, judge_model, judge_k, votes } = metadata;
  const pairs = pairwise?.votes ?? [];
  if (metadata.not_asked !== undefined) {
    return { score: null, details: `judge_too_long: ${metadata.not_asked}`, metadata: { ...metadata } };
  }
  const readable = pairs.filter(({ preference }) => preference !== null);
  if (score === null || !pairwise?.preference) {
    const error = votes.find((vote) => vote.error !== null)?.error ?? null;
    const details = `judge_quorum_missed: ${readable.length}/${pairs.length} votes could be read in both orders`;
    return { score: null, details, metadata: { ...metadata, error } };
  }
  const figures = `judge=${judge_model} k=${judge_k} votes=${readable.length}/${pairs.length}`;
  const details = [figures, ...metadata.notes].join(' | ');
  return { score, passed, details, metadata: { ...metadata } };
}
