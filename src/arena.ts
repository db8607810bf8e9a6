export { type BenchScannerOptions, benchScanner } from './app/experiments/bench-scanner.ts';
export {
  type ExperimentOptions,
  estimateExperiment,
  resumeExperiment,
  runExperiment,
} from './app/experiments/run-experiment.ts';
export { listRules } from './app/games/list-rules.ts';
export { listTasks } from './app/games/list-tasks.ts';
export {
  type BlueFunction,
  type NamedGame as PlayGameResult,
  type NamedGameOptions as PlayGameOptions,
  playNamedTeams as playGame,
} from './app/games/play-game.ts';
export type { Workplace } from './app/project/open-project.ts';
export { deleteExperiment } from './app/results/delete-results.ts';
export {
  type ListExperimentsOptions,
  listExperiments,
  type OpenExperiment,
  openExperiment,
} from './app/results/stored-experiments.ts';
export {
  type BlueMetadata,
  type BlueOutcome,
  type BlueRequest,
  type BlueTeam,
  DetectionMode,
} from './arena/blue/blue-team.ts';
export { BlueTeamError } from './arena/blue/blue-team-error.ts';
export type { Rule } from './arena/blue/rules/rules.ts';
export { checkTools, type ToolStatus } from './arena/blue/scanners/check-tools.ts';
export type { ScannerContext } from './arena/blue/scanners/find-scanner.ts';
export type { ExperimentEvent } from './arena/experiment/conduct-experiment.ts';
export type { ExperimentRecord } from './arena/experiment/experiment-record.ts';
export type { ExperimentEstimate } from './arena/experiment/plan/estimate-experiment.ts';
export type { ExperimentPlan } from './arena/experiment/plan/experiment-plan.ts';
export { loadExperiment } from './arena/experiment/plan/load-experiment.ts';
export type {
  BlueComparison,
  ExperimentResults,
  GameMetrics,
  RateEstimate,
} from './arena/experiment/results/experiment-results.ts';
export type { Scorecard } from './arena/experiment/results/scorecard.ts';
export { summarizeExperiment } from './arena/experiment/results/summarize-experiment.ts';
export { type Game, gameSchema } from './arena/game/game-document.ts';
export type { GameEvent, GameStage, PlayedGame } from './arena/game/played-game.ts';
export { Difficulty, type Strategy } from './arena/game-settings.ts';
export { checkManifest } from './arena/gate/check-manifest.ts';
export { createRulesChecker } from './arena/gate/create-rules-checker.ts';
export type { GateEntry, GateResult } from './arena/gate/gate-result.ts';
export type { RuleChecker } from './arena/gate/rule-checker.ts';
export type { RedMetadata, RedOutcome, RedRequest, RedTeam } from './arena/red/red-team.ts';
export { RedTeamError } from './arena/red/red-team-error.ts';
export type { Task } from './arena/tasks/tasks.ts';
export { type BlueTeamAgent, type BlueTeamOptions, createBlueTeamAgent } from './arena/teams/blue-team-agent.ts';
export {
  createRedTeamAgent,
  type RedTeamAgent,
  type RedTeamOptions,
  type RedTeamRequest,
} from './arena/teams/red-team-agent.ts';
export type { CodeLanguage } from './iac/syntax/code-block.ts';
export {
  type ExperimentFormat,
  type FormatExperimentOptions,
  type FormattedExperiment,
  formatExperiment,
} from './library/format-experiment.ts';
export { type FormatGameOptions, formatGame, type GameFormat } from './library/format-game.ts';
export type { Finding } from './match/claims/finding.ts';
export type { Vulnerability } from './match/claims/vulnerability.ts';
export type { GateOutcome, ScorePolicy } from './match/results/score-gate.ts';
export type { ScoreResults } from './match/results/score-results.ts';
export type { ModelCaller } from './models/call/model-caller.ts';
export type { Project } from './scenario/schema/project-schema.ts';
export type { AtLeast, Cost } from './stats/cost.ts';
export type { Store, UnreadableExperiment } from './store/store.ts';
export type { ErrorCode } from './text/errors/error-codes.ts';
export { SalvoError, type SourceLocation } from './text/errors/salvo-error.ts';
