import type { AdapterStatus } from '../adapters/availability.ts';
import { safeLine } from './safe-text.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';

/** What can be used and what is missing, for `salvo adapters`. */
export function renderAdapters(
  options: {
    adapters: readonly AdapterStatus[];
    defaultAdapter: string;
    judge: { adapter: string; model: string; k: number };
  },
  look: { width: number; color: boolean },
): string {
  const style = createStyle(look.color);
  const rows = options.adapters.map(({ name, type, status, detail }) => {
    const ready = status === 'ready';
    return {
      sign: { text: ready ? '✔' : '✖', paint: ready ? style.green : style.yellow },
      name: { text: safeLine(name) },
      type: { text: type },
      status: { text: status.replace('_', ' '), paint: ready ? style.green : style.yellow },
      detail: { text: safeLine(detail) },
    };
  });
  const { lines } = renderTable({
    columns: [
      { key: 'sign', header: '', priority: 5 },
      { key: 'name', header: 'Adapter', priority: 10 },
      { key: 'type', header: 'Type', priority: 2 },
      { key: 'status', header: 'Status', priority: 9 },
      { key: 'detail', header: '', priority: 3, min: 20 },
    ],
    rows,
    width: look.width,
    paintHeader: style.dim,
  });
  const { judge, defaultAdapter } = options;
  const defaults = `Scenarios run on "${safeLine(defaultAdapter)}" unless they say otherwise; judges are "${safeLine(judge.adapter)}" with ${safeLine(judge.model)}, ${judge.k} votes.`;
  return `${lines.join('\n')}\n\n${style.dim(defaults)}\n`;
}
