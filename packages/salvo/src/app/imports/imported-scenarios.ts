import type { RunScenario } from '../../run/record/run-record.ts';
import { scenarioHash } from '../../scenario/scenario-identity.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { PlannedSuite } from './import-plan.ts';

/** How reports call whoever answered in imported conversations. */
const IMPORT_ADAPTER = 'import';

/** The scenarios of imported conversations. They have no task: what was asked is in the conversations. */
export function importedScenarios(suites: readonly PlannedSuite[], file: string): RunScenario[] {
  return suites.map((suite) => {
    const { name, models } = suite;
    const scenario = scenarioOf(suite);
    const [model = 'unknown', ...others] = models;
    return {
      name,
      file,
      adapter: IMPORT_ADAPTER,
      model: others.length === 0 ? model : 'several models',
      scenario_hash: scenarioHash(scenario),
      scenario,
      summary: null,
    };
  });
}

/** Names of cases are values of rows, which are never read as templates. */
function scenarioOf({ name, cases }: PlannedSuite): Scenario {
  const [usual] = cases.values();
  const trials = usual?.count ?? 1;
  return {
    name,
    description: 'Imported conversations. The outcome is the one that their files give.',
    data: Array.from(cases, ([caseName, { count }]) => ({
      name: caseName,
      ...(count !== trials && { trials: count }),
    })),
    trials,
    tools: [],
    assertions: [{ type: 'given', id: 'given', weight: 1, required: false }],
    max_turns: 10,
    on_unmocked: 'error',
  };
}
