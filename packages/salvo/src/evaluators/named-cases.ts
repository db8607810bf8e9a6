import { type ScenarioCases, scenarioCases } from '../scenario/cases/scenario-cases.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { assertionIds } from './assertion-ids.ts';

/** The cases of a scenario, whose assertions have the same ids in all of them: failures are grouped by id. */
export function namedCases(scenario: Scenario): ScenarioCases {
  return scenarioCases(scenario, assertionIds(scenario.assertions));
}
