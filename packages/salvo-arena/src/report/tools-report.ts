import { type Canvas, joinBlocks, type Look, renderFor, renderTable, wrap } from 'salvo/kit/report';
import { safeLine } from 'salvo/kit/text';
import type { ToolStatus } from '../blue/scanners/check-tools.ts';

/** Which scanners can be used and what the others lack, for `salvo tools`. */
export function renderTools(tools: readonly ToolStatus[], look: Look): string {
  return renderFor(look, (canvas) => joinBlocks(toolBlocks(tools, canvas)), { narrowest: 40, widest: 140 });
}

function toolBlocks(tools: readonly ToolStatus[], { width, style }: Canvas): string[][] {
  const table = renderTable({
    columns: [
      { key: 'symbol', header: '', priority: 5 },
      { key: 'name', header: 'Scanner', priority: 10 },
      { key: 'version', header: 'Version', priority: 8 },
      { key: 'reads', header: 'Reads', priority: 3 },
      { key: 'detail', header: 'Details', priority: 9, min: 30 },
    ],
    rows: tools.map(({ name, available, version, path, languages, missing, lacks }) => ({
      symbol: { text: available ? '✔' : '✖', paint: available ? style.green : style.yellow },
      name: { text: name },
      version: { text: available ? safeLine(version ?? 'unknown', 40) : '' },
      reads: { text: languages.join(', '), paint: style.dim },
      detail: { text: safeLine([missing ?? path ?? '', ...lacks].join('. ')) },
    })),
    width,
    style,
  }).lines;
  const hint = 'A scanner that is here can be a Blue (--blue NAME), or check what Red claims (--checker NAME).';
  return [table, wrap(hint, width).map(style.dim)];
}
