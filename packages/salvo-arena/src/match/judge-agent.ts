import { JudgeError } from './claims/judge-error.ts';
import { buildMatchInput, readSide } from './claims/match-input.ts';
import { type JudgeAgentOptions, type JudgeSettings, resolveJudgeOptions } from './judge-agent-options.ts';
import { MATCHERS } from './matchers.ts';
import { type FindingsInput, findingRecords, readToolClaims, type ToolFindingsInput } from './read-findings.ts';
import { type ManifestInput, manifestPresentBefore, vulnerabilityRecords } from './read-manifest.ts';
import { buildScoreResults } from './results/build-score-results.ts';
import type { ConfirmedInput } from './results/manifest-check.ts';
import type { KnownFromOutside } from './results/outside-evidence.ts';
import type { ScoreResults } from './results/score-results.ts';
import { compareWithTwin, withoutFindings } from './results/twin-comparison.ts';
import type { UnresolvedValue } from './results/unresolved.ts';

/** What is known from outside the two teams. Every part may be missing. */
export interface OutsideEvidenceInput {
  toolFindings?: ToolFindingsInput | null | undefined;
  confirmed?: ConfirmedInput | undefined;
  /** Addresses of resources that are known to have no flaw. */
  cleanResources?: readonly string[] | undefined;
  /**
   * What the same Blue reports on the same code without the flaws. A finding that is in both reports is never a match,
   * and one that is only in the first was caused by a flaw.
   */
  twinFindings?: FindingsInput | null | undefined;
  /** False for a Blue that may answer differently each time, such as a model. */
  repeatable?: boolean | undefined;
  /**
   * For each finding in `twinFindings`: the value that it is about, if only evaluation finds that value and it is safe;
   * otherwise null. Such findings are also counted apart, as `unresolved`.
   */
  unresolved?: readonly (UnresolvedValue | null)[] | undefined;
}

/** Scores what a Blue Team reports against what a Red Team hid. One judge can score any number of games. */
export class JudgeAgent {
  readonly #settings: JudgeSettings;

  constructor(options: JudgeAgentOptions = {}) {
    this.#settings = resolveJudgeOptions(options);
  }

  /** Throws a `JudgeError` when the manifest or the findings cannot be read. */
  score(manifest: ManifestInput, findings: FindingsInput, evidence?: OutsideEvidenceInput): ScoreResults {
    if (this.#settings.llm) {
      throw new JudgeError(
        'OPTIONS_INVALID',
        'This judge asks models (option llm), which takes time: call scoreAsync.',
      );
    }
    const { input, comparison, matcher } = this.#prepare(manifest, findings, evidence);
    const known = readOutsideEvidence(evidence);
    return buildScoreResults({ input, comparison, matcher, settings: this.#settings, known, models: null });
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
    const { input, comparison, matcher } = this.#prepare(manifest, findings, evidence);
    const known = readOutsideEvidence(evidence);
    // Loaded only here: without models, a judge needs no adapters.
    const { askModels } = await import('./llm/ask-models.ts');
    const settings = this.#settings;
    const asked = await askModels({ input, matcher, settings, llm, signal });
    return buildScoreResults({ input, comparison, ...asked, settings, known });
  }

  /** Both sides, with the findings that no flaw caused left out of the matcher's candidates. */
  #prepare(manifest: ManifestInput, findings: FindingsInput, evidence: OutsideEvidenceInput | undefined) {
    const input = buildMatchInput(vulnerabilityRecords(manifest), findingRecords(findings));
    const twinFindings = evidence?.twinFindings ?? null;
    const comparison = compareWithTwin(input, {
      twin: twinFindings === null ? null : readSide(findingRecords(twinFindings)),
      presentBefore: manifestPresentBefore(manifest),
    });
    const { matcher, keys } = this.#settings;
    const all = MATCHERS[matcher](input.vulnerabilities.claims, input.findings.claims, { keys });
    return { input, comparison, matcher: withoutFindings(all, comparison.excluded) };
  }
}

function readOutsideEvidence(evidence: OutsideEvidenceInput | undefined): KnownFromOutside | null {
  if (!evidence) return null;
  const { toolFindings, confirmed = null, cleanResources = null, repeatable = true, unresolved = null } = evidence;
  const tools = toolFindings === undefined || toolFindings === null ? null : readToolClaims(toolFindings);
  return { tools, confirmed, cleanResources, isRepeatable: repeatable, unresolved };
}
