import type { RunScenario } from './run-record.ts';

type Entry = Pick<RunScenario, 'name' | 'file' | 'adapter' | 'model'>;

/** Identifies a scenario in a run, whatever it was run with. */
export function scenarioKey({ file, name }: Pick<Entry, 'file' | 'name'>): string {
  return JSON.stringify([file, name]);
}

/** Whether a run has a scenario with several adapters or models. */
export function isMatrix(entries: readonly Entry[]): boolean {
  return new Set(entries.map(scenarioKey)).size < entries.length;
}

/**
 * What to call each entry among those of the same scenario: its model, its adapter if only that differs, or else
 * `adapter=model`. The same for all scenarios of the run.
 */
export function candidateLabels(entries: readonly Entry[]): string[] {
  const labelOf = LABELS.find((label) => isDistinct(entries, label)) ?? both;
  return entries.map(labelOf);
}

const both = ({ adapter, model }: Entry): string => `${adapter}=${model}`;
const LABELS: readonly ((entry: Entry) => string)[] = [({ model }) => model, ({ adapter }) => adapter, both];

function isDistinct(entries: readonly Entry[], label: (entry: Entry) => string): boolean {
  const keys = entries.map((entry) => JSON.stringify([scenarioKey(entry), label(entry)]));
  return new Set(keys).size === keys.length;
}
