import type { AdapterStatus } from '../adapters/availability.ts';
import { safeLine } from '../text/output/safe-text.ts';
import { type Canvas, type Look, renderFor } from './terminal/look.ts';
import { visibleWidth } from './terminal/style.ts';
import { renderTable } from './terminal/table.ts';
import { wrap } from './terminal/wrap.ts';

/** The adapters of a project, and which of them are used by default. */
export interface AdapterList {
  default_adapter: string;
  judge: { adapter: string; model: string; k: number };
  adapters: readonly AdapterStatus[];
}

/** Which adapters can be used and what the others lack, for `salvo adapters`. */
export function renderAdapters(list: AdapterList, look: Look): string {
  return renderFor(look, (canvas) => `${adapterLines(list, canvas).join('\n')}\n`, {
    widest: Number.POSITIVE_INFINITY,
  });
}

function adapterLines({ adapters, default_adapter, judge }: AdapterList, { width, style }: Canvas): string[] {
  const rows = adapters.map(({ name, type, status, detail }) => {
    const ready = status === 'ready';
    return {
      symbol: { text: ready ? '✔' : '✖', paint: ready ? style.green : style.yellow },
      name: { text: safeLine(name) },
      type: { text: type === name ? '' : type },
      status: { text: status.replace('_', ' '), paint: ready ? style.green : style.yellow },
      detail: safeLine(detail),
    };
  });
  const {
    lines,
    header,
    rows: heads,
  } = renderTable({
    columns: [
      { key: 'symbol', header: '', priority: 5 },
      { key: 'name', header: 'Adapter', priority: 10 },
      { key: 'type', header: 'Type', priority: 2 },
      { key: 'status', header: 'Status', priority: 9 },
    ],
    rows,
    width,
    style,
  });
  const used = Math.max(...lines.map((line) => visibleWidth(line))) + 2;
  const body = heads.flatMap(([head = ''], index) => beside({ head, text: rows[index]?.detail ?? '', used, width }));
  const defaults = `Scenarios run on "${safeLine(default_adapter)}" unless they say otherwise; judges are "${safeLine(judge.adapter)}" with ${safeLine(judge.model)}, ${judge.k} votes.`;
  return [...header, ...body, '', ...wrap(defaults, width).map(style.dim)];
}

/** What to do about an adapter is never cut: it is wrapped beside the row, or below it on a narrow terminal. */
function beside({ head, text, used, width }: { head: string; text: string; used: number; width: number }): string[] {
  if (text === '') return [head];
  const isNarrow = width - used < 25;
  const indent = isNarrow ? 3 : used;
  const [first = '', ...rest] = wrap(text, width - indent).map((line) => ' '.repeat(indent) + line);
  if (isNarrow) return [head, first, ...rest];
  return [head + first.slice(visibleWidth(head)), ...rest];
}
