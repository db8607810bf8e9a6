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
export { SalvoError } from './text/salvo-error.ts';
