import { createHash } from 'node:crypto';
import { canonicalJson } from '../text/canonical-json.ts';
import type { Scenario } from './schema/scenario-schema.ts';

/** Tells scenarios apart by what they say, not by how their file is laid out. */
export function scenarioHash(scenario: Scenario): string {
  return createHash('sha256').update(canonicalJson(scenario)).digest('hex');
}
