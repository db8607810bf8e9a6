import { canonicalJson, contentHash } from '../text/canonical-json.ts';
import type { Scenario } from './schema/scenario-schema.ts';

/** Identifies a scenario by its content, independent of the layout of its file. */
export function scenarioHash(scenario: Scenario): string {
  return contentHash(scenario);
}

/** Names of the scenario and how its traces are judged; every other field influences the agent. */
const NOT_THE_TASK = new Set(['name', 'description', 'tags', 'assertions', 'threshold', 'min_pass_rate', 'min_score']);

/** The fields in which two versions of a scenario give the agent a different task. */
export function taskChanges(before: Scenario, after: Scenario): string[] {
  const then = new Map<string, unknown>(Object.entries(before));
  const now = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...then.keys(), ...now.keys()])]
    .filter((field) => !NOT_THE_TASK.has(field) && canonicalJson(then.get(field)) !== canonicalJson(now.get(field)))
    .sort();
}
