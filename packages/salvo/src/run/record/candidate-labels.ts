import type { PromptOf } from '../../scenario/schema/scenario-schema.ts';
import type { RunScenario } from './run-record.ts';

type Entry = Pick<RunScenario, 'name' | 'file' | 'adapter' | 'model'> & WithPrompt;

/** Where an entry has which prompt it is: a summary itself, an entry of a run in its scenario. */
interface WithPrompt {
  prompt_of?: PromptOf | undefined;
  scenario?: { prompt_of?: PromptOf | undefined } | string | undefined;
}

function promptOf({ prompt_of, scenario }: WithPrompt): PromptOf | undefined {
  return prompt_of ?? (typeof scenario === 'object' ? scenario.prompt_of : undefined);
}

/** The name of a scenario without that of its prompt. */
export function nameWithoutPrompt(entry: Pick<Entry, 'name'> & WithPrompt): string {
  return promptOf(entry)?.scenario ?? entry.name;
}

/** Identifies a scenario in a run, whatever it was run with. */
export function scenarioKey(entry: Pick<Entry, 'file' | 'name'> & WithPrompt): string {
  return JSON.stringify([entry.file, nameWithoutPrompt(entry)]);
}

/** Identifies an entry of a run, and the same entry in other runs. The name has that of the prompt in it. */
export function entryKey({ file, name, adapter, model }: Entry): string {
  return JSON.stringify([file, name, adapter, model]);
}

/** The keys of the scenarios that ran with several prompts, adapters or models. */
export function comparedScenarios(entries: readonly Entry[]): Set<string> {
  const distinct = new Map(entries.map((entry) => [entryKey(entry), scenarioKey(entry)])).values();
  const several = Map.groupBy(distinct, (key) => key).values();
  return new Set([...several].flatMap(([key = '', ...others]) => (others.length > 0 ? [key] : [])));
}

/** Whether a run has a scenario with several prompts, adapters or models. */
export function isMatrix(entries: readonly Entry[]): boolean {
  return comparedScenarios(entries).size > 0;
}

/** What the entries of one scenario differ in. */
export function candidateNoun(entries: readonly WithPrompt[]): 'model' | 'prompt' {
  return entries.some((entry) => promptOf(entry)) ? 'prompt' : 'model';
}

/**
 * What to call each entry among those of the same scenario: its prompt, its model, its adapter if only that differs, or
 * else `adapter=model`; the prompt and one of these if both differ. The same for all scenarios of the run.
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

type Label = (entry: Entry) => string;

const byModel: Label = ({ model }) => model;
const byAdapter: Label = ({ adapter }) => adapter;
const byBoth: Label = ({ adapter, model }) => `${adapter}=${model}`;

function withPrompt(label: Label): Label {
  return (entry) => [promptOf(entry)?.prompt, label(entry)].filter((part) => part !== undefined).join(' · ');
}

const both = withPrompt(byBoth);
const LABELS: readonly Label[] = [
  byModel,
  byAdapter,
  (entry) => promptOf(entry)?.prompt ?? entry.model,
  ...[byModel, byAdapter, byBoth].map(withPrompt),
];

function isDistinct(entries: readonly Entry[], label: Label): boolean {
  const keys = entries.map((entry) => JSON.stringify([scenarioKey(entry), label(entry)]));
  return new Set(keys).size === keys.length;
}
