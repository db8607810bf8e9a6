import { sumOrUnknown } from 'salvo/kit/statistics';
import { sumCosts } from 'salvo/kit/stats';
import { agentCost, agentCostFields } from 'salvo/kit/trace';
import { allOrAbort } from './all-or-abort.ts';
import type { BlueMetadata, BlueTeam } from './blue-team.ts';
import { mergeFindings } from './merge-findings.ts';

/**
 * Several Blue Teams as one. Findings of the same flaw are merged, as the Judge Agent's matcher sees it. When one team
 * fails, all do: otherwise half of the findings would be scored as if they were all.
 */
export function createHybridBlue(teams: readonly BlueTeam[]): BlueTeam {
  const name = teams.map((team) => team.name).join('+');
  return {
    name,
    async analyze(request) {
      const outcomes = await allOrAbort(
        request.signal,
        teams.map((team) => (signal) => team.analyze({ ...request, signal })),
      );
      const groups = mergeFindings(
        outcomes.map(({ findings, metadata }) => findings.map((finding) => ({ source: metadata.blue, ...finding }))),
      );
      const merged = groups.reduce((sum, { count }) => sum + count - 1, 0);
      const all = outcomes.map(({ metadata }) => metadata);
      // Teams that asked no model used no tokens, even when they do not report it.
      const asked = all.filter(({ model_calls }) => model_calls > 0);
      return {
        findings: groups.map(({ finding }) => finding),
        metadata: {
          blue: name,
          mode: combinedMode(all),
          dropped: [
            ...all.flatMap(({ dropped }) => dropped),
            ...(merged > 0 ? [{ reason: 'another Blue Team reported it as well', count: merged }] : []),
          ],
          model_calls: all.reduce((sum, { model_calls }) => sum + model_calls, 0),
          input_tokens: sumOrUnknown(asked.map(({ input_tokens }) => input_tokens)),
          output_tokens: sumOrUnknown(asked.map(({ output_tokens }) => output_tokens)),
          ...agentCostFields(sumCosts(asked.map(agentCost))),
          not_covered: leastNotCovered(all),
        },
      };
    },
  };
}

function combinedMode(all: readonly BlueMetadata[]): BlueMetadata['mode'] {
  const modes = new Set(all.map(({ mode }) => mode));
  const [only = 'tools_only'] = modes;
  return modes.size > 1 ? 'hybrid' : only;
}

/** What no team can look at is known only if every team says what it cannot look at. */
function leastNotCovered(all: readonly BlueMetadata[]): BlueMetadata['not_covered'] {
  const lists = all.map(({ not_covered }) => not_covered);
  if (lists.includes(undefined)) return undefined;
  const [first = [], ...others] = lists.filter((list) => list !== undefined);
  return first.filter(({ what }) => others.every((list) => list.some((entry) => entry.what === what)));
}
