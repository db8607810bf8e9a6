export type { Adapter, AdapterConfig, AdapterTurnResult, ToolDefinition, Usage } from './adapters/adapter.ts';
export { AdapterError, type AdapterErrorKind } from './adapters/adapter-error.ts';
export type { AdapterContext } from './adapters/adapter-factory.ts';
export { calibrate } from './judge/calibration/calibration.ts';
export { readLabels } from './judge/calibration/calibration-labels.ts';
export type { CalibrationRecord, CalibrationReport } from './judge/calibration/calibration-record.ts';
export { type LabelledTrace, runCalibration } from './judge/calibration/run-calibration.ts';
export { CANARY_RUBRIC, type Canary, loadCanaries } from './judge/canaries/canaries.ts';
export { type CanaryReport, runCanaries } from './judge/canaries/run-canaries.ts';
export { type JudgeConfig, resolveJudgeConfig } from './judge/judge-config.ts';
export {
  type JudgeInput,
  type Judgement,
  type JudgeTraceOptions,
  judgeTrace,
} from './judge/judge-trace.ts';
export { buildContext, buildToolCallSummary } from './judge/prompt/context.ts';
export { buildJudgeMessages } from './judge/prompt/judge-messages.ts';
export { buildCriteriaBlock, buildJudgePrompt, JUDGE_SYSTEM_TEMPLATE } from './judge/prompt/prompt.ts';
export { type AggregatedVotes, aggregateKVotes } from './judge/votes/aggregation.ts';
export type { JudgeMetadata, VoteRecord } from './judge/votes/judge-metadata.ts';
export type { ModelFunction } from './models/function-models.ts';
export { createModelCaller, environmentModels, type ModelCaller } from './models/model-caller.ts';
export { extractScores, extractScoresFromToolCall } from './models/scoring/extract-scores.ts';
export type { CriterionScore, VoteScores } from './models/scoring/read-scores.ts';
export { buildScoringTool } from './models/scoring/scoring-tool.ts';
export { JUDGE_USER_TEMPLATE } from './models/scoring/templates.ts';
export { formatToolChoice } from './models/tool-choice.ts';
export type { VoteCache } from './models/vote-cache.ts';
export type { Criterion } from './scenario/schema/criterion-schema.ts';
export { cohenKappa } from './stats/cohen-kappa.ts';
export { krippendorffAlpha } from './stats/krippendorff-alpha.ts';
export { extractJsonFromText } from './text/json-in-text.ts';
export { SalvoError } from './text/salvo-error.ts';
export type { Message, ToolCall } from './trace/message.ts';
export { type Trace, traceSchema } from './trace/trace.ts';
export { type TraceInput, traceFrom } from './trace/trace-from.ts';
