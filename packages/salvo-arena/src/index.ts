export type { ModelCaller } from 'salvo/kit/models';
export type { Workplace } from 'salvo/kit/project';
export type { Project } from 'salvo/kit/scenario';
export type { AtLeast, Cost } from 'salvo/kit/stats';
export type { Store } from 'salvo/kit/store';
export type { ErrorCode } from 'salvo/kit/text';
export { SalvoError, type SourceLocation } from 'salvo/kit/text';
export { type BenchScannerOptions, benchScanner } from './app/experiments/bench-scanner.ts';
export {
  type ExperimentOptions,
  estimateExperiment,
  resumeExperiment,
  runExperiment,
} from './app/experiments/run-experiment.ts';
export {
  deleteExperiment,
  type ListExperimentsOptions,
  listExperiments,
  type OpenExperiment,
  openExperiment,
} from './app/experiments/stored-experiments.ts';
export { listRules } from './app/games/list-rules.ts';
export { listTasks } from './app/games/list-tasks.ts';
export {
  type BlueFunction,
  type NamedGame as PlayGameResult,
  type NamedGameOptions as PlayGameOptions,
  playNamedTeams as playGame,
} from './app/games/play-game.ts';
export { type ScoreEvent, type ScoreFilesOptions, scoreFiles } from './app/scoring/score-files.ts';
export {
  type BlueMetadata,
  type BlueOutcome,
  type BlueRequest,
  type BlueTeam,
  DetectionMode,
} from './blue/blue-team.ts';
export { BlueTeamError } from './blue/blue-team-error.ts';
export type { Rule } from './blue/rules/rules.ts';
export { checkTools, type ToolStatus } from './blue/scanners/check-tools.ts';
export type { ScannerContext } from './blue/scanners/find-scanner.ts';
export { type OwnCode, type OwnCodeContext, readOwnCode } from './code/own-code.ts';
export type { ExperimentEvent } from './experiment/conduct-experiment.ts';
export type { ExperimentRecord } from './experiment/experiment-record.ts';
export type { ExperimentEstimate } from './experiment/plan/estimate-experiment.ts';
export type { ExperimentPlan } from './experiment/plan/experiment-plan.ts';
export { loadExperiment } from './experiment/plan/load-experiment.ts';
export type {
  BlueComparison,
  ExperimentResults,
  GameMetrics,
  RateEstimate,
  Scorecard,
} from './experiment/results/experiment-results.ts';
export { summarizeExperiment } from './experiment/results/summarize-experiment.ts';
export { type Game, gameSchema } from './game/game-document.ts';
export type { GameEvent, GameStage, PlayedGame } from './game/played-game.ts';
export { checkManifest } from './gate/check-manifest.ts';
export { createRulesChecker } from './gate/create-rules-checker.ts';
export type { GateEntry, GateResult } from './gate/gate-result.ts';
export type { RuleChecker } from './gate/rule-checker.ts';
export type { CodeLanguage } from './iac/syntax/code-block.ts';
export {
  type ExperimentFormat,
  type FormatExperimentOptions,
  type FormatGameOptions,
  type FormatScoreOptions,
  type FormattedExperiment,
  formatExperiment,
  formatGame,
  formatScore,
  type GameFormat,
  type ScoreFormat,
} from './library/format.ts';
export type { Finding } from './match/claims/finding.ts';
export type { Vulnerability } from './match/claims/vulnerability.ts';
export type { GateOutcome, ScorePolicy } from './match/results/score-gate.ts';
export type { ScoreResults } from './match/results/score-results.ts';
export type { RedMetadata, RedOutcome, RedRequest, RedTeam } from './red/red-team.ts';
export { RedTeamError } from './red/red-team-error.ts';
export type { ScoredBlue, ScoreSheet } from './report/score/score-sheet.ts';
export type { UnreadableExperiment } from './store/experiment-tables.ts';
export { Difficulty, type Strategy } from './tasks/game-settings.ts';
export type { Task } from './tasks/tasks.ts';
export { type BlueTeamAgent, type BlueTeamOptions, createBlueTeamAgent } from './teams/blue-team-agent.ts';
export {
  createRedTeamAgent,
  type RedTeamAgent,
  type RedTeamOptions,
  type RedTeamRequest,
} from './teams/red-team-agent.ts';
