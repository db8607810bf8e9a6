import { candidateLabels, comparedScenarios, scenarioKey } from '../../../run/record/candidate-labels.ts';
import type { RunScenario } from '../../../run/record/run-record.ts';

type Entry = Pick<RunScenario, 'name' | 'file' | 'adapter' | 'model'>;

/**
 * What to call each scenario of a run in a command: its name, or its file where several have the same name; and
 * `@model` after it if it ran with several.
 */
export function scenarioHandles(scenarios: readonly Entry[]): string[] {
  const labels = candidateLabels(scenarios);
  const compared = comparedScenarios(scenarios);
  const distinct = new Map(scenarios.map((scenario) => [scenarioKey(scenario), scenario.name])).values();
  const sameName = Map.groupBy(distinct, (name) => name);
  return scenarios.map((scenario, index) => {
    const { name, file } = scenario;
    const handle = sameName.get(name)?.length === 1 || file === '' ? name : file;
    return compared.has(scenarioKey(scenario)) ? `${handle}@${labels[index]}` : handle;
  });
}

/** What to call each scenario of a run in a report: its name, with its model where several have the same name. */
export function scenarioTitles(scenarios: readonly Entry[]): string[] {
  const labels = candidateLabels(scenarios);
  const sameName = Map.groupBy(scenarios, ({ name }) => name);
  return scenarios.map(({ name }, index) =>
    sameName.get(name)?.length === 1 ? name : `${name} · ${labels[index] ?? ''}`,
  );
}
