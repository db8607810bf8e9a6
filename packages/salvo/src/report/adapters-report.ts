import type { AdapterStatus } from '../adapters/availability.ts';
import { type ModelEnd, modelEndWords } from '../models/known/model-ends.ts';
import { type Tone, table, toned } from './document/document.ts';
import { toTerminal } from './document/terminal.ts';
import type { Look } from './terminal/look.ts';

/** The adapters of a project, and which of them are used by default. */
export interface AdapterList {
  default_adapter: string;
  judge: { adapter: string; model: string; k: number; mode?: 'chat' | 'decide' | undefined };
  /** Of the models that are used by default: those that their provider shuts down. */
  ending_models?: readonly ModelEnd[] | undefined;
  adapters: readonly AdapterStatus[];
}

/** Which adapters can be used and what the others lack, for `salvo adapters`. */
export function renderAdapters(
  { adapters, default_adapter, judge, ending_models = [] }: AdapterList,
  look: Look,
  today = new Date().toISOString().slice(0, 10),
): string {
  const toneOf = ({ status }: AdapterStatus): Tone => (status === 'ready' ? 'green' : 'yellow');
  const list = table(adapters, [
    { header: '', priority: 5, cell: (each) => ({ text: each.status === 'ready' ? '✔' : '✖', tone: toneOf(each) }) },
    { header: 'Adapter', priority: 10, cell: ({ name }) => name },
    { header: 'Type', priority: 2, cell: ({ name, type }) => (type === name ? '' : type) },
    { header: 'Status', priority: 9, cell: (each) => ({ text: each.status.replace('_', ' '), tone: toneOf(each) }) },
    // What to do about an adapter is never cut.
    { header: '', priority: 8, min: 25, place: 'below if narrow', cell: ({ detail: text }) => ({ text, most: 1000 }) },
  ]);
  const votes = judge.mode === 'decide' ? 'which decides' : `${judge.k} votes`;
  const defaults = `Scenarios run on "${default_adapter}" unless they say otherwise; judges are "${judge.adapter}" with ${judge.model}, ${votes}.`;
  const ends = ending_models.map((end) => `Warning: ${modelEndWords(end, today)}`);
  return toTerminal([list, { lines: toned('dim', [defaults]) }, { lines: toned('yellow', ends) }], look);
}
