import { withModels } from 'salvo/kit/models';
import { meetsThreshold } from 'salvo/kit/stats';
import type { Matcher } from '../candidates/matcher.ts';
import type { MatchInput } from '../claims/match-input.ts';
import { LEAST_SCORE, type MatchSettings, pairUp } from '../results/pairing.ts';
import type { ModelsPart } from '../results/score-results.ts';
import { decidePairs } from './decide-pairs.ts';
import type { Llm } from './llm-options.ts';
import { modelsPart } from './models-part.ts';
import { unclearPairs } from './unclear-pairs.ts';
import { withDecisions } from './with-decisions.ts';

/** Lets the models decide unclear pairs. Returns a matcher that knows their decisions, and what the models did. */
export async function askModels(request: {
  input: MatchInput;
  matcher: Matcher;
  settings: MatchSettings;
  llm: Llm;
  signal?: AbortSignal | undefined;
}): Promise<{ matcher: Matcher; models: ModelsPart }> {
  const { input, matcher, settings, llm, signal } = request;
  const { chosen } = pairUp(matcher, input.sizes, settings);
  const settled = chosen.filter(({ score }) => meetsThreshold(score, settings.exactThreshold));
  const candidates = matcher.candidates(Math.max(llm.band[0], LEAST_SCORE));
  const { pairs, leftOut } = unclearPairs(candidates, { band: llm.band, settled, maxPairs: llm.maxPairs });
  const decided = await withModels(llm.caller, async (caller) => {
    // An unknown adapter is a mistake in the options, not a call that failed.
    for (const { adapter } of llm.models) caller.providerName(adapter);
    return decidePairs({
      pairs,
      vulnerabilities: input.vulnerabilities.claims,
      findings: input.findings.claims,
      llm,
      caller,
      signal,
    });
  });
  return {
    matcher: withDecisions(matcher, decided, settings.matchThreshold),
    models: modelsPart({ input, models: llm.models, decided, leftOut }),
  };
}
