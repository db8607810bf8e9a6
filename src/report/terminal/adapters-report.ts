import type { AdapterStatus } from '../../adapters/availability.ts';
import { displayWidth, safeLine } from '../../text/safe-text.ts';
import { plainSigns } from './ascii.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';
import { wrap } from './wrap.ts';

/** What can be used and what is missing, for `salvo adapters`. */
export function renderAdapters(
  options: {
    adapters: readonly AdapterStatus[];
    defaultAdapter: string;
    judge: { adapter: string; model: string; k: number };
  },
  look: { width: number; color: boolean; ascii?: boolean | undefined },
): string {
  const style = createStyle(look.color);
  const width = Math.max(24, look.width);
  const rows = options.adapters.map(({ name, type, status, detail }) => {
    const ready = status === 'ready';
    return {
      sign: { text: ready ? '✔' : '✖', paint: ready ? style.green : style.yellow },
      name: { text: safeLine(name) },
      type: { text: type === name ? '' : type },
      status: { text: status.replace('_', ' '), paint: ready ? style.green : style.yellow },
      detail: safeLine(detail),
    };
  });
  const { lines } = renderTable({
    columns: [
      { key: 'sign', header: '', priority: 5 },
      { key: 'name', header: 'Adapter', priority: 10 },
      { key: 'type', header: 'Type', priority: 2 },
      { key: 'status', header: 'Status', priority: 9 },
    ],
    rows,
    width,
    paintHeader: style.dim,
  });
  const [header = '', ...heads] = lines;
  const used = Math.max(...lines.map((line) => displayWidth(stripColour(line)))) + 2;
  const body = heads.flatMap((head, index) => beside({ head, text: rows[index]?.detail ?? '', used, width }));
  const { judge, defaultAdapter } = options;
  const defaults = `Scenarios run on "${safeLine(defaultAdapter)}" unless they say otherwise; judges are "${safeLine(judge.adapter)}" with ${safeLine(judge.model)}, ${judge.k} votes.`;
  const text = `${[header, ...body, '', ...wrap(defaults, width).map(style.dim)].join('\n')}\n`;
  return look.ascii ? plainSigns(text) : text;
}

/** What to do about an adapter is never cut short: it goes on in the next line, or below where there is no room. */
function beside({ head, text, used, width }: { head: string; text: string; used: number; width: number }): string[] {
  if (text === '') return [head];
  const isNarrow = width - used < 25;
  const indent = isNarrow ? 3 : used;
  const [first = '', ...rest] = wrap(text, width - indent).map((line) => ' '.repeat(indent) + line);
  if (isNarrow) return [head, first, ...rest];
  return [head + first.slice(displayWidth(stripColour(head))), ...rest];
}

function stripColour(line: string): string {
  return line.replaceAll(/\u001b\[\d+m/g, '');
}
