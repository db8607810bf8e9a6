import { candidateLabels, comparedScenarios, scenarioKey } from '../../../run/record/candidate-labels.ts';
import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import type { RunScenario } from '../../../run/record/run-record.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { list } from '../../../text/words/value-words.ts';

type Entry = Pick<RunScenario, 'name' | 'file' | 'adapter' | 'model'>;

/**
 * What to call each scenario of a run in a command: its name, or its file where several have the same name; and
 * `@model` after it if it ran with several.
 */
export function scenarioHandles(scenarios: readonly Entry[]): string[] {
  const plain = withoutPrompts(scenarios);
  const labels = candidateLabels(plain);
  const compared = comparedScenarios(plain);
  const distinct = new Map(plain.map((scenario) => [scenarioKey(scenario), scenario.name])).values();
  const sameName = Map.groupBy(distinct, (name) => name);
  return plain.map((scenario, index) => {
    const { name, file } = scenario;
    const handle = sameName.get(name)?.length === 1 || file === '' ? name : file;
    return compared.has(scenarioKey(scenario)) ? `${handle}@${labels[index]}` : handle;
  });
}

/** Names have those of prompts in them. */
function withoutPrompts(scenarios: readonly Entry[]): Entry[] {
  return scenarios.map(({ name, file, adapter, model }) => ({ name, file, adapter, model }));
}

/** What to call each scenario of a run in a report: its name, with its model where several have the same name. */
export function scenarioTitles(scenarios: readonly Entry[]): string[] {
  const labels = candidateLabels(withoutPrompts(scenarios));
  const sameName = Map.groupBy(scenarios, ({ name }) => name);
  return scenarios.map(({ name }, index) =>
    sameName.get(name)?.length === 1 ? name : `${name} · ${labels[index] ?? ''}`,
  );
}

const MOST_NAMES = 5;

/** The first scenarios of which something is true, in words; null if there are none. */
export function namesWhere(
  scenarios: readonly ScenarioSummary[],
  isTrue: (scenario: ScenarioSummary) => boolean,
): string | null {
  const titles = scenarioTitles(scenarios);
  const names = scenarios.flatMap((scenario, index) => (isTrue(scenario) ? [safeLine(titles[index] ?? '')] : []));
  if (names.length === 0) return null;
  const rest = names.length - MOST_NAMES;
  return rest > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${rest} more` : list(names, 'and');
}
