import type { CreateMatcher, Matcher, MatcherName } from './candidates/matcher.ts';
import { JudgeError } from './claims/judge-error.ts';
import { type Game, gameOf } from './claims/match-input.ts';
import { createDocumentedMatcher } from './documented/documented-matcher.ts';
import { createEvidenceMatcher } from './evidence/evidence-matcher.ts';
import { type JudgeAgentOptions, type JudgeSettings, resolveJudgeOptions } from './judge-agent-options.ts';
import { askModels } from './llm/ask-models.ts';
import type { AnchorInput } from './results/outside-evidence-input.ts';
import { scoreGame } from './results/score-match-input.ts';
import type { ScoreResults } from './results/score-results.ts';

const MATCHERS: Record<MatcherName, CreateMatcher> = {
  documented: createDocumentedMatcher,
  evidence: createEvidenceMatcher,
};

/** Scores what a Blue Team reports against what a Red Team hid. One judge serves any number of games. */
export class JudgeAgent {
  readonly #settings: JudgeSettings;

  constructor(options: JudgeAgentOptions = {}) {
    this.#settings = resolveJudgeOptions(options);
  }

  /**
   * The manifest is an object with `vulnerabilities` or a list of them, the findings a list; or anything else that
   * `readManifest` and `readFindings` can read. Throws a `JudgeError` when they can't.
   */
  score(manifest: unknown, findings: unknown, anchors?: AnchorInput): ScoreResults {
    if (this.#settings.llm) {
      throw new JudgeError('bad_option', 'This judge asks models (option llm), which takes time: call scoreAsync.');
    }
    const game = gameOf(manifest, findings);
    return scoreGame({ game, matcher: this.#matcherOf(game), settings: this.#settings, anchors, models: null });
  }

  /** The same, with models deciding what is unclear when the judge has any. Rejects when `signal` is aborted. */
  async scoreAsync(
    manifest: unknown,
    findings: unknown,
    anchors?: AnchorInput,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<ScoreResults> {
    signal?.throwIfAborted();
    const { llm } = this.#settings;
    const game = gameOf(manifest, findings);
    const plain = this.#matcherOf(game);
    const asked = llm
      ? await askModels({ game, matcher: plain, settings: this.#settings, llm, signal })
      : { matcher: plain, models: null };
    return scoreGame({ game, ...asked, settings: this.#settings, anchors });
  }

  #matcherOf({ vulnerabilities, findings }: Game): Matcher {
    return MATCHERS[this.#settings.matcher](vulnerabilities.claims, findings.claims);
  }
}
