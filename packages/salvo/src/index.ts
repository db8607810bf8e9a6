export type {
  Adapter,
  AdapterConfig,
  AdapterTurnResult,
  AgentTrace,
  Conversation,
  FinishReason,
  ToolAnswer,
  ToolDefinition,
  Usage,
} from './adapters/adapter.ts';
export { AdapterError, type AdapterErrorKind } from './adapters/adapter-error.ts';
export type { AdapterContext } from './adapters/adapter-factory.ts';
export type { AgentFunction, AgentReply, AgentTask } from './adapters/agent/agent-function.ts';
export type { DecisionAnswer, DecisionQuestion } from './adapters/decision-question.ts';
export { registerAdapter } from './adapters/registered-adapters.ts';
export { getAdapter } from './adapters/registry.ts';
export { type CreateBaselineOptions, type CreatedBaseline, createBaseline } from './app/compare/baseline.ts';
export { type CompareRunsOptions, compareRuns } from './app/compare/compare.ts';
export {
  type ScenarioFromTrace,
  type ScenarioFromTraceOptions,
  scenarioFromTrace,
} from './app/from-trace/scenario-from-trace.ts';
export { type ImportProgress, type ImportTracesOptions, importTraces } from './app/imports/import-traces.ts';

export { type CalibrateProjectJudgeOptions, calibrateProjectJudge } from './app/judges/calibrate-project-judge.ts';
export {
  type CheckProjectJudgeOptions,
  checkProjectJudge,
  type JudgeTestEvent,
} from './app/judges/check-project-judge.ts';
export { type OpenProject, openProject, type Workplace } from './app/project/open-project.ts';
export { type Validation, validateFiles } from './app/project/validate.ts';
export { deleteRun } from './app/results/delete-results.ts';
export { type ExportedTrial, type ListRunsOptions, listRuns, type OpenRun, openRun } from './app/results/open-run.ts';
export { type ReevaluateOptions, reevaluateRun } from './app/results/reevaluate.ts';
export { type ReplayedTrial, type ReplayOptions, replayTrial } from './app/results/replay-trial.ts';
export { type EstimateRunOptions, estimateReevaluation, estimateRun } from './app/runs/estimate.ts';
export { type MergedRun, type MergePartsOptions, mergeParts } from './app/runs/merge-parts.ts';
export { type PlanOptions, planRuns } from './app/runs/plan.ts';
export { type FinishedRun, resumeRun, runFiles } from './app/runs/run.ts';
export type { ResumeRunOptions, RunFilesOptions } from './app/runs/run-options.ts';
export { type RunScenarioOptions, runScenario, type ScenarioRun } from './app/runs/run-scenario.ts';
export { type FinishedShard, type RunShardOptions, runShard } from './app/runs/run-shard.ts';
export type { RunFilesEvent } from './app/selection/run-files-event.ts';
export type { EvalResult, TrialStatus } from './evaluators/eval-result.ts';
export { evaluateTrace } from './evaluators/evaluate-trace.ts';
export type { Evaluation, EvaluationContext, Evaluator } from './evaluators/evaluator.ts';
export { EVALUATOR_REGISTRY, getEvaluator, registerEvaluator } from './evaluators/registry.ts';
export { type ScorableResult, scoreTrial, type TrialScore } from './evaluators/scorer.ts';
export type { CustomAssertionContext } from './evaluators/types/code/custom.ts';
export type { CustomAssertionResult } from './evaluators/types/code/custom-result.ts';
export type { ImportReport } from './imports/import-document.ts';
export type { CalibrationOutcome } from './judge/calibration/calibrate-judge.ts';
export type { JudgeInUse } from './judge/calibration/judges-in-use.ts';
export type { CanaryReport } from './judge/canaries/check-judge.ts';
export { type ComparisonFormat, type FormatComparisonOptions, formatComparison } from './library/format-comparison.ts';
export { type FormatRunOptions, type FormattedRun, formatRun, type RunFormat } from './library/format-run.ts';
export { type StartViewerOptions, startViewer } from './library/start-viewer.ts';
export type { Baseline } from './run/compare/baseline.ts';
export type { ComparedScenario, RunComparison } from './run/compare/compare-runs.ts';
export type { AgainstOutcome } from './run/compare/judge-against.ts';
export type { RunEvent, RunOutcome } from './run/conduct/run-request.ts';
export type { Estimate } from './run/estimate/estimate.ts';
export type { Plan, ScenarioPlan } from './run/plan/plan.ts';
export { type RunDocument, runDocumentSchema, type ScenarioSummary, type Verdict } from './run/record/run-document.ts';
export type { RunRecord, Shard, StoredTrial } from './run/record/run-record.ts';
export type { ReevaluatedScenario, Reevaluation } from './run/reevaluate/reevaluation.ts';
export { defineScenario } from './scenario/code/define-scenario.ts';
export type { ProjectHooks } from './scenario/code/load-hooks.ts';
export type {
  AssertionInput,
  CheckFunction,
  CheckInput,
  CheckResult,
  HookResults,
  ScenarioContext,
  ScenarioDefinition,
  ScenarioHooks,
  ToolContext,
  ToolFunction,
  ToolInput,
  TrialContext,
  TrialView,
} from './scenario/code/scenario-definition.ts';
export type { Diagnostic } from './scenario/diagnostics/diagnostic.ts';
export { DiagnosticsError } from './scenario/diagnostics/diagnostics-error.ts';
export { type KnownAdapters, loadProject } from './scenario/load-project.ts';
export { type LoadedScenario, loadScenario, type ScenarioFile } from './scenario/load-scenario.ts';
export type { ProjectInput } from './scenario/scenario-object.ts';
export type { Assertion, RegisteredAssertion } from './scenario/schema/assertion-schema.ts';
export type { Project, ProjectConfig } from './scenario/schema/project-schema.ts';
export type { Scenario } from './scenario/schema/scenario-schema.ts';
export type { RunningViewer } from './server/serve-viewer.ts';
export type { RunListing, Store, UnreadableRun } from './store/store.ts';
export type { ErrorCode } from './text/errors/error-codes.ts';
export { SalvoError, type SourceLocation } from './text/errors/salvo-error.ts';
export type { StreamInput } from './trace/forms/stream/read-stream.ts';
export type { Message, ToolCall } from './trace/message.ts';
export { type Trace, traceSchema } from './trace/trace.ts';
export { type TraceInput, traceFrom } from './trace/trace-from.ts';
export type { TrialResult } from './trial/trial-result.ts';
