import { plannedCases } from '../record/planned-cases.ts';
import type { ScenarioSummary } from '../record/run-document.ts';
import type { RunScenario, Shard } from '../record/run-record.ts';
import { shardName } from '../record/shard.ts';
import { createScenarioTally } from '../tally/scenario-tally.ts';
import { scenarioGates } from '../verdict/gates.ts';

/** Why no trial of a scenario runs: it says so itself, or all its cases do. Null if it runs. */
export function whySkipped(scenario: RunScenario['scenario'], chosen: readonly number[] | null): string | null {
  if (scenario.skip !== undefined) return scenario.skip;
  const cases = plannedCases(scenario, { options: { trials: null }, chosen });
  const [first] = cases;
  if (first?.skip === null || cases.some(({ skip }) => skip === null)) return null;
  return cases.length === 1 ? (first?.skip ?? null) : `all ${cases.length} cases are skipped`;
}

/** The summary of a scenario that is not run. */
export function skippedSummary(
  entry: RunScenario,
  { chosen, startedAt }: { chosen: readonly number[] | null; startedAt: string },
): ScenarioSummary {
  const { scenario, file, model, adapter } = entry;
  const { name, threshold, prompt_of } = scenario;
  const gates = scenarioGates({ min_pass_rate: null, min_score: null }, scenario);
  const cases = scenario.skip === undefined ? plannedCases(scenario, { options: { trials: null }, chosen }) : [];
  const tally = createScenarioTally({ name, file, model, adapter, prompt_of, threshold, gates, cases, startedAt });
  const summary = tally.summary({ stopped: null, allowUnscored: false, recordOnly: false });
  return { ...summary, gates: [], verdict: 'SKIPPED', decided_by: 'skip', skipped: whySkipped(scenario, chosen) };
}

/** The summary of a scenario all of whose trials are in other shards. */
export function outsideShard(summary: ScenarioSummary, shard: Shard): ScenarioSummary {
  const skipped = `none of its trials is in shard ${shardName(shard)}`;
  return { ...summary, verdict: 'SKIPPED', decided_by: 'skip', skipped };
}
