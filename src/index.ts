export type { Adapter, AdapterConfig, AdapterTurnResult, ToolDefinition, Usage } from './adapters/adapter.ts';
export { AdapterError, type AdapterErrorKind } from './adapters/adapter-error.ts';
export type { AdapterContext } from './adapters/adapter-factory.ts';
export type { AgentFunction, AgentTask } from './adapters/agent/agent-function.ts';
export { registerAdapter } from './adapters/registered-adapters.ts';
export { getAdapter } from './adapters/registry.ts';
export { type FinishedRun, type RunFilesEvent, type RunFilesOptions, runFiles } from './app/run.ts';
export { type RunScenarioOptions, runScenario, type ScenarioRun, type ToolInput } from './app/run-scenario.ts';
export { type BlueOutcome, type BlueRequest, type BlueTeam, DetectionMode } from './arena/blue/blue-team.ts';
export { BlueTeamError } from './arena/blue/blue-team-error.ts';
export { checkTools } from './arena/blue/scanners/check-tools.ts';
export { type Game, gameSchema } from './arena/game/game-document.ts';
export { playGame } from './arena/game/play-game.ts';
export { truthGate } from './arena/game/truth-gate.ts';
export { Difficulty, type Strategy } from './arena/game-settings.ts';
export { checkManifest } from './arena/gate/check-manifest.ts';
export type { GateEntry, GateResult } from './arena/gate/gate-result.ts';
export type { RedOutcome, RedRequest, RedTeam } from './arena/red/red-team.ts';
export { RedTeamError } from './arena/red/red-team-error.ts';
export { type BlueTeamAgent, createBlueTeamAgent } from './arena/teams/blue-team-agent.ts';
export { createBlue, createRed } from './arena/teams/create-team.ts';
export { createRedTeamAgent, type RedTeamAgent, type RedTeamRequest } from './arena/teams/red-team-agent.ts';
export type { CustomAssertionContext, CustomAssertionResult } from './evaluators/custom.ts';
export type { EvalResult } from './evaluators/eval-result.ts';
export { evaluateTrace } from './evaluators/evaluate-trace.ts';
export type { Evaluation, EvaluationContext, Evaluator } from './evaluators/evaluator.ts';
export { JudgeEvaluator } from './evaluators/judge.ts';
export { EVALUATOR_REGISTRY, getEvaluator, registerEvaluator } from './evaluators/registry.ts';
export { scoreTrial } from './evaluators/scorer.ts';
export type { TrialStatus } from './evaluators/trial-status.ts';
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
export type { Factor, MatcherName } from './match/candidates/matcher.ts';
export type { Finding } from './match/claims/finding.ts';
export { JudgeError } from './match/claims/judge-error.ts';
export type { Manifest, Vulnerability } from './match/claims/vulnerability.ts';
export { FINDINGS_FORMATS, type FindingsFormat } from './match/importers/findings-format.ts';
export { JudgeAgent, type OutsideEvidenceInput } from './match/judge-agent.ts';
export type { JudgeAgentOptions } from './match/judge-agent-options.ts';
export type { LlmOptions, ModelChoice } from './match/llm/llm-options.ts';
export { locateFindings } from './match/locate-in-source.ts';
export {
  type FindingsInput,
  readFindings,
  readFindingsFromText,
  type ToolFindingsInput,
} from './match/read-findings.ts';
export { type ManifestInput, readManifest } from './match/read-manifest.ts';
export { type AggregatedResults, aggregateResults } from './match/results/aggregate-results.ts';
export { fBeta } from './match/results/match-metrics.ts';
export { type GateOutcome, gateScore, type ScorePolicy } from './match/results/score-gate.ts';
export type {
  Duplicate,
  Match,
  ModelDecision,
  ModelsPart,
  NearMiss,
  OutsideEvidence,
  ScoreResults,
} from './match/results/score-results.ts';
export { type ScoreResultsDict, scoreResultsToDict } from './match/results/score-results-to-dict.ts';
export type { ModelFunction } from './models/function-models.ts';
export { createModelCaller, environmentModels, type ModelCaller } from './models/model-caller.ts';
export { extractScores, extractScoresFromToolCall } from './models/scoring/extract-scores.ts';
export type { CriterionScore, VoteScores } from './models/scoring/read-scores.ts';
export { buildScoringTool } from './models/scoring/scoring-tool.ts';
export { JUDGE_USER_TEMPLATE } from './models/scoring/templates.ts';
export { formatToolChoice } from './models/tool-choice.ts';
export type { VoteCache } from './models/vote-cache.ts';
export {
  type RunDocument,
  runDocumentSchema,
  type ScenarioResult,
  type ScenarioSummary,
  type Verdict,
} from './run/run-document.ts';
export type { RunRecord, StoredTrial } from './run/run-record.ts';
export type { RunEvent, RunOutcome } from './run/run-scenarios.ts';
export type { Diagnostic } from './scenario/diagnostics/diagnostic.ts';
export { DiagnosticsError } from './scenario/diagnostics/diagnostics-error.ts';
export { loadProject } from './scenario/load-project.ts';
export { type LoadedScenario, loadScenario } from './scenario/load-scenario.ts';
export type { AssertionInput, ProjectInput, ScenarioInput } from './scenario/scenario-object.ts';
export type { Assertion } from './scenario/schema/assertion-schema.ts';
export type { Criterion } from './scenario/schema/criterion-schema.ts';
export type { Project, ProjectConfig } from './scenario/schema/project-schema.ts';
export type { Scenario } from './scenario/schema/scenario-schema.ts';
export { cohenKappa } from './stats/cohen-kappa.ts';
export { krippendorffAlpha } from './stats/krippendorff-alpha.ts';
export { passAtK, passHatK } from './stats/pass-at-k.ts';
export { quantile } from './stats/quantile.ts';
export { wilsonInterval } from './stats/wilson-interval.ts';
export { openStore } from './store/open-store.ts';
export type { Store } from './store/store.ts';
export { extractJsonFromText } from './text/json-in-text.ts';
export { SalvoError } from './text/salvo-error.ts';
export type { Message, ToolCall } from './trace/message.ts';
export { type Trace, traceSchema } from './trace/trace.ts';
export { type TraceInput, traceFrom } from './trace/trace-from.ts';
export type { TrialResult } from './trial/trial-result.ts';
