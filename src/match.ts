export type { Finding } from './match/claims/finding.ts';
export type { Manifest, Vulnerability } from './match/claims/vulnerability.ts';
export { FINDINGS_FORMATS, type FindingsFormat } from './match/findings-format.ts';
export { JudgeAgent } from './match/judge-agent.ts';
export type { JudgeAgentOptions } from './match/judge-agent-options.ts';
export { JudgeError } from './match/judge-error.ts';
export type { LlmOptions, ModelChoice } from './match/llm/llm-options.ts';
export { locateFindings } from './match/locate-in-source.ts';
export type { Factor, MatcherName } from './match/matcher.ts';
export { readFindings, readFindingsFromText } from './match/read-findings.ts';
export { readManifest } from './match/read-manifest.ts';
export { type AggregatedResults, aggregateResults } from './match/results/aggregate-results.ts';
export { fBeta } from './match/results/f-beta.ts';
export type { AnchorInput } from './match/results/outside-evidence-input.ts';
export { type GateOutcome, gateScore, type ScorePolicy } from './match/results/score-gate.ts';
export type {
  Anchors,
  Duplicate,
  Match,
  ModelDecision,
  ModelsPart,
  NearMiss,
  ScoreResults,
} from './match/results/score-results.ts';
export { type ScoreResultsDict, scoreResultsToDict } from './match/results/score-results-to-dict.ts';
export { SalvoError } from './text/salvo-error.ts';
