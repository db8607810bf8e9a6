import { type Judgement, type JudgeRequest, judgeTrace } from '../../../judge/judge-trace.ts';
import { type JudgeAssertion, judgeSettings } from '../../../judge/scenario-judges.ts';
import { environmentModels, type ModelCaller, withBudget, withModels } from '../../../models/call/model-caller.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { Evaluation, EvaluationContext, Evaluator } from '../../evaluator.ts';
import { missingTurn, turnsOf } from '../text/on-turn.ts';

/** Scores a trace by a rubric, with one or more judges. */
export const judgeEvaluator: Evaluator<JudgeAssertion> = (assertion, trace, context) => {
  const { turn = 'last' } = assertion;
  const needed = typeof turn === 'number' ? turn : 1;
  const turns = turn === 'last' ? needed : turnsOf(trace, context).length;
  if (turns < needed) return missingTurn(needed, turns);
  return withModels(
    context.models,
    async (opened) => {
      const models = context.budget ? withBudget(opened, context.budget) : opened;
      const seen = await transformedFor(assertion, trace, context);
      const request = judgeRequest(assertion, seen, { ...context, models });
      if (assertion.against === undefined) return evaluationOf(await judgeTrace(request));
      const { evaluatePair } = await import('./judge-pair.ts');
      return evaluatePair(assertion, request, context);
    },
    // For a trace that is evaluated outside of a run.
    () => environmentModels(context.project && { root: context.project.root, ...context.project.config }),
  );
};

/** The trace with the answers that the judges see. */
async function transformedFor(assertion: JudgeAssertion, trace: Trace, context: EvaluationContext): Promise<Trace> {
  const { transform, turn } = assertion;
  if (transform === undefined) return trace;
  const { withTransform } = await import('../text/transform.ts');
  return withTransform(transform, { trace, context, turn });
}

/** What the judges are asked. Fields that the assertion lacks come from the project. */
export function judgeRequest(
  assertion: JudgeAssertion,
  trace: Trace,
  context: EvaluationContext & { models: ModelCaller },
): JudgeRequest {
  const { traceId, trialNumber = 1 } = context;
  return {
    ...judgeSettings(assertion, context.project?.config.judge),
    trace,
    scenario: context.recordedScenario ?? context.scenario,
    models: context.models,
    cache: context.voteCache,
    // Two trials with the same trace are two subjects: their votes must be independent.
    subject: traceId ? `trial ${trialNumber} of ${traceId}` : null,
    isScoreSettled: context.isScoreSettled,
    recalibrationOf: context.recalibrationOf,
    seed: context.seed,
    trialNumber: context.trialNumber,
    signal: context.signal,
    people: context.peoplesVerdict,
  };
}

function evaluationOf({ score, passed, metadata }: Judgement): Evaluation {
  const { votes, judge_model, judge_k, judge_cost_usd, per_criterion, material } = metadata;
  const readable = votes.filter((vote) => vote.scores !== null).length;
  const cast = votes.length;
  const { cascade } = metadata;
  if (cascade && cascade.decided_by === null) {
    const why = cascade.people === 'waiting' ? 'judge_waits_for_people' : 'judge_undecided';
    return { score: null, details: `${why}: ${cascade.reason}`, metadata: { ...metadata } };
  }
  if (metadata.not_asked !== undefined) {
    return { score: null, details: `judge_too_long: ${metadata.not_asked}`, metadata: { ...metadata } };
  }
  if (score === null) {
    const failure =
      readable === 0
        ? `judge_parse_failed: ${cast - readable}/${cast} calls failed`
        : `judge_quorum_missed: ${readable}/${cast} votes could be read`;
    // Separate from the details, so that failures with different errors are grouped together.
    const error = votes.find((vote) => vote.error !== null)?.error ?? null;
    return { score: null, details: failure, metadata: { ...metadata, error } };
  }
  const cost = judge_cost_usd === null ? 'unknown' : `$${judge_cost_usd.toFixed(6)}`;
  const scores = per_criterion.map((criterion) => `${criterion.name}=${criterion.score.toFixed(2)}`).join(', ');
  const parts = (material?.parts ?? 1) > 1 ? ` parts=${material?.parts}` : '';
  const probability = metadata.probability === undefined ? '' : ` probability=${metadata.probability.toFixed(2)}`;
  const figures = `judge=${judge_model} k=${judge_k} votes=${readable}/${cast}${parts}${probability} | judge_cost=${cost} | ${scores}`;
  const details = [figures, ...metadata.notes].join(' | ');
  return { score, passed, details, metadata: { ...metadata } };
}
