import { contentHash } from '../text/canonical-json.ts';
import type { Scenario } from './schema/scenario-schema.ts';

/** Tells scenarios apart by what they say, not by how their file is laid out. */
export function scenarioHash(scenario: Scenario): string {
  return contentHash(scenario);
}
