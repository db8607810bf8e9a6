import type { AdapterStatus } from '../adapters/availability.ts';
import { type Tone, table, toned } from './document/document.ts';
import { toTerminal } from './document/terminal.ts';
import type { Look } from './terminal/look.ts';

/** The adapters of a project, and which of them are used by default. */
export interface AdapterList {
  default_adapter: string;
  judge: { adapter: string; model: string; k: number };
  adapters: readonly AdapterStatus[];
}

/** Which adapters can be used and what the others lack, for `salvo adapters`. */
export function renderAdapters({ adapters, default_adapter, judge }: AdapterList, look: Look): string {
  const toneOf = ({ status }: AdapterStatus): Tone => (status === 'ready' ? 'green' : 'yellow');
  const list = table(adapters, [
    { header: '', priority: 5, cell: (each) => ({ text: each.status === 'ready' ? '✔' : '✖', tone: toneOf(each) }) },
    { header: 'Adapter', priority: 10, cell: ({ name }) => name },
    { header: 'Type', priority: 2, cell: ({ name, type }) => (type === name ? '' : type) },
    { header: 'Status', priority: 9, cell: (each) => ({ text: each.status.replace('_', ' '), tone: toneOf(each) }) },
    // What to do about an adapter is never cut.
    { header: '', priority: 8, min: 25, place: 'below if narrow', cell: ({ detail: text }) => ({ text, most: 1000 }) },
  ]);
  const defaults = `Scenarios run on "${default_adapter}" unless they say otherwise; judges are "${judge.adapter}" with ${judge.model}, ${judge.k} votes.`;
  return toTerminal([list, { lines: toned('dim', [defaults]) }], look);
}
