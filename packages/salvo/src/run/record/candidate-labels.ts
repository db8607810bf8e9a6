import type { RunScenario } from './run-record.ts';

type Entry = Pick<RunScenario, 'name' | 'file' | 'adapter' | 'model'>;

/** Identifies a scenario in a run, whatever it was run with. */
export function scenarioKey({ file, name }: Pick<Entry, 'file' | 'name'>): string {
  return JSON.stringify([file, name]);
}

/** Identifies an entry of a run, and the same entry in other runs. */
export function entryKey({ file, name, adapter, model }: Entry): string {
  return JSON.stringify([file, name, adapter, model]);
}

/** The keys of the scenarios that ran with several adapters or models. */
export function comparedScenarios(entries: readonly Entry[]): Set<string> {
  const distinct = new Map(entries.map((entry) => [entryKey(entry), scenarioKey(entry)])).values();
  const several = Map.groupBy(distinct, (key) => key).values();
  return new Set([...several].flatMap(([key = '', ...others]) => (others.length > 0 ? [key] : [])));
}

/** Whether a run has a scenario with several adapters or models. */
export function isMatrix(entries: readonly Entry[]): boolean {
  return comparedScenarios(entries).size > 0;
}

/**
 * What to call each entry among those of the same scenario: its model, its adapter if only that differs, or else
 * `adapter=model`. The same for all scenarios of the run.
 */
export function candidateLabels(entries: readonly Entry[]): string[] {
  const distinct = [...new Map(entries.map((entry) => [entryKey(entry), entry])).values()];
  const labelOf = LABELS.find((label) => isDistinct(distinct, label)) ?? both;
  return entries.map(labelOf);
}

/** The entries of a run by their labels, in the order in which these come first. */
export function byCandidate<Each extends Entry>(entries: readonly Each[]): Map<string, Each[]> {
  const labels = candidateLabels(entries);
  const grouped = Map.groupBy(entries.entries(), ([index]) => labels[index] ?? '');
  return new Map(Array.from(grouped, ([label, own]) => [label, own.map(([, entry]) => entry)]));
}

const both = ({ adapter, model }: Entry): string => `${adapter}=${model}`;
const LABELS: readonly ((entry: Entry) => string)[] = [({ model }) => model, ({ adapter }) => adapter];

function isDistinct(entries: readonly Entry[], label: (entry: Entry) => string): boolean {
  const keys = entries.map((entry) => JSON.stringify([scenarioKey(entry), label(entry)]));
  return new Set(keys).size === keys.length;
}
