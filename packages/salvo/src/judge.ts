export type { AdapterConfig, AdapterTurnResult, ToolDefinition } from './adapters/adapter.ts';
export type { AdapterContext } from './adapters/adapter-factory.ts';
export type { Evaluation, EvaluationContext, Evaluator } from './evaluators/evaluator.ts';
export { judgeEvaluator } from './evaluators/types/judge/judge.ts';
export {
  type CalibrateJudgeOptions,
  type CalibrationOutcome,
  calibrateJudge,
  calibrateRecorded,
} from './judge/calibration/calibrate-judge.ts';
export { type LabelledItem, readLabels } from './judge/calibration/calibration-labels.ts';
export type { CalibrationRecord, CalibrationReport, Disagreement } from './judge/calibration/calibration-record.ts';
export type { JudgedItem } from './judge/calibration/compare-with-people.ts';
export type { LabelledTrace } from './judge/calibration/judge-labels.ts';
export { readRecordedVerdicts } from './judge/calibration/recorded-verdicts.ts';
export { CANARY_RUBRIC, type Canary, loadCanaries } from './judge/canaries/canaries.ts';
export { type CanaryReport, type CheckJudgeOptions, checkJudge } from './judge/canaries/check-judge.ts';
export { type JudgeChoices, type JudgeConfig, type ProjectJudge, resolveJudgeConfig } from './judge/judge-config.ts';
export type { JudgingEvent } from './judge/judge-items.ts';
export { type JudgeInput, type Judgement, type JudgeTraceOptions, judgeTrace } from './judge/judge-trace.ts';
export { buildContext, buildToolCallSummary, type JudgedScenario } from './judge/prompt/context.ts';
export { buildCriteriaBlock, buildJudgePrompt, JUDGE_SYSTEM_TEMPLATE } from './judge/prompt/prompt.ts';
export type { JudgeAssertion } from './judge/scenario-judges.ts';
export {
  type AggregatedVotes,
  type AggregationOptions,
  aggregateKVotes,
  type WeightedCriterion,
} from './judge/votes/aggregation.ts';
export type { CriterionOutcome, JudgeMetadata, VoteRecord } from './judge/votes/judge-metadata.ts';
export { formatToolChoice } from './models/ask/tool-choice.ts';
export type { Price } from './models/budget/prices.ts';
export type { ModelFunction, ModelFunctionRequest } from './models/call/function-models.ts';
export { environmentModels, type ModelCall, type ModelCaller, type ModelReply } from './models/call/model-caller.ts';
export type { CachedVote, VoteCache } from './models/call/vote-cache.ts';
export { extractScores, extractScoresFromToolCall, type JudgeAnswer } from './models/scoring/extract-scores.ts';
export type { CriterionScore, VoteScores } from './models/scoring/read-scores.ts';
export { buildScoringTool, type ScoredCriterion } from './models/scoring/scoring-tool.ts';
export { JUDGE_USER_TEMPLATE } from './models/scoring/templates.ts';
export type { Criterion, CriterionLike } from './scenario/schema/criterion-schema.ts';
export type { ErrorCode } from './text/errors/error-codes.ts';
export { SalvoError, type SourceLocation } from './text/errors/salvo-error.ts';
export { extractJsonFromText } from './text/json/json-in-text.ts';
export type { Message, ToolCall } from './trace/message.ts';
export type { Trace } from './trace/trace.ts';
