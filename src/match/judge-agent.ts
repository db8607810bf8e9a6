import type { CreateMatcher, Matcher, MatcherName } from './candidates/matcher.ts';
import { JudgeError } from './claims/judge-error.ts';
import { buildMatchInput, type MatchInput } from './claims/match-input.ts';
import { createDocumentedMatcher } from './documented/documented-matcher.ts';
import { createEvidenceMatcher } from './evidence/evidence-matcher.ts';
import { type JudgeAgentOptions, type JudgeSettings, resolveJudgeOptions } from './judge-agent-options.ts';
import { type FindingsInput, findingRecords, readToolClaims, type ToolFindingsInput } from './read-findings.ts';
import { type ManifestInput, vulnerabilityRecords } from './read-manifest.ts';
import { buildScoreResults } from './results/build-score-results.ts';
import type { ConfirmedInput } from './results/manifest-check.ts';
import type { KnownFromOutside } from './results/outside-evidence.ts';
import type { ScoreResults } from './results/score-results.ts';

/** What is known from outside the two teams. Every part may be missing. */
export interface OutsideEvidenceInput {
  toolFindings?: ToolFindingsInput | null | undefined;
  confirmed?: ConfirmedInput | undefined;
  /** Addresses of resources that are known to have no flaw. */
  cleanResources?: readonly string[] | undefined;
}

const MATCHERS: Record<MatcherName, CreateMatcher> = {
  documented: createDocumentedMatcher,
  evidence: createEvidenceMatcher,
};

/** Scores what a Blue Team reports against what a Red Team hid. One judge can score any number of games. */
export class JudgeAgent {
  readonly #settings: JudgeSettings;

  constructor(options: JudgeAgentOptions = {}) {
    this.#settings = resolveJudgeOptions(options);
  }

  /** Throws a `JudgeError` when the manifest or the findings cannot be read. */
  score(manifest: ManifestInput, findings: FindingsInput, evidence?: OutsideEvidenceInput): ScoreResults {
    if (this.#settings.llm) {
      throw new JudgeError('bad_option', 'This judge asks models (option llm), which takes time: call scoreAsync.');
    }
    const input = buildMatchInput(vulnerabilityRecords(manifest), findingRecords(findings));
    return buildScoreResults({
      input,
      matcher: this.#createMatcher(input),
      settings: this.#settings,
      known: readOutsideEvidence(evidence),
      models: null,
    });
  }

  /** Like `score`. If the judge has models, they decide what is unclear. Rejects when `signal` is aborted. */
  async scoreAsync(
    manifest: ManifestInput,
    findings: FindingsInput,
    evidence?: OutsideEvidenceInput,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<ScoreResults> {
    signal?.throwIfAborted();
    const { llm } = this.#settings;
    if (!llm) return this.score(manifest, findings, evidence);
    const input = buildMatchInput(vulnerabilityRecords(manifest), findingRecords(findings));
    const known = readOutsideEvidence(evidence);
    // Loaded only here: without models, a judge needs no adapters.
    const { askModels } = await import('./llm/ask-models.ts');
    const settings = this.#settings;
    const asked = await askModels({ input, matcher: this.#createMatcher(input), settings, llm, signal });
    return buildScoreResults({ input, ...asked, settings, known });
  }

  #createMatcher({ vulnerabilities, findings }: MatchInput): Matcher {
    return MATCHERS[this.#settings.matcher](vulnerabilities.claims, findings.claims);
  }
}

function readOutsideEvidence(evidence: OutsideEvidenceInput | undefined): KnownFromOutside | null {
  if (!evidence) return null;
  const { toolFindings, confirmed = null, cleanResources = null } = evidence;
  const tools = toolFindings === undefined || toolFindings === null ? null : readToolClaims(toolFindings);
  return { tools, confirmed, cleanResources };
}
