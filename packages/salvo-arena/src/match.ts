export type { ErrorCode } from 'salvo/kit/text';
export { SalvoError, type SourceLocation } from 'salvo/kit/text';
export type { Factor, MatcherName } from './match/candidates/matcher.ts';
export type { Finding } from './match/claims/finding.ts';
export type { FlawLocation } from './match/claims/flaw-location.ts';
export { JudgeError, type JudgeErrorCode } from './match/claims/judge-error.ts';
export type { PresentBefore } from './match/claims/present-before.ts';
export type { Manifest, Vulnerability } from './match/claims/vulnerability.ts';
export { FINDINGS_FORMATS, type FindingsFormat, type NotJudged } from './match/importers/findings-format.ts';
export { JudgeAgent, type OutsideEvidenceInput } from './match/judge-agent.ts';
export type { JudgeAgentOptions } from './match/judge-agent-options.ts';
export type { LlmOptions, ModelChoice } from './match/llm/llm-options.ts';
export { readCleanResources } from './match/read-clean-resources.ts';
export {
  type FindingsInput,
  type ReadFindingsOptions,
  type ReadReport,
  readFindings,
  readFindingsFromText,
  readReport,
  type ToolFindingsInput,
} from './match/read-findings.ts';
export { type ManifestInput, readManifest } from './match/read-manifest.ts';
export { type AggregatedResults, aggregateResults, type GameScore } from './match/results/aggregate-results.ts';
export { type GateOutcome, gateScore, type ScorePolicy } from './match/results/score-gate.ts';
export type {
  Consequence,
  Duplicate,
  Interval,
  Match,
  ModelDecision,
  ModelsPart,
  NearMiss,
  OutsideEvidence,
  RecallOf,
  ScoreResults,
  ScoreResultsDict,
} from './match/results/score-results.ts';
export { scoreResultsToDict } from './match/results/score-results-to-dict.ts';
export { locateFindings } from './match/source/locate-in-source.ts';
