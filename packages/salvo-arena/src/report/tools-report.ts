import { type Look, table, toTerminal } from 'salvo/kit/report';
import type { ToolStatus } from '../blue/scanners/check-tools.ts';

/** Which scanners can be used and what the others lack, for `salvo tools`. */
export function renderTools(tools: readonly ToolStatus[], look: Look): string {
  const hint = 'A scanner that is here can be a Blue (--blue NAME), or check what Red claims (--checker NAME).';
  const report = [
    table(tools, [
      {
        header: '',
        priority: 5,
        cell: ({ available }) => (available ? { text: '✔', tone: 'green' } : { text: '✖', tone: 'yellow' }),
      },
      { header: 'Scanner', priority: 10, cell: ({ name }) => name },
      { header: 'Version', priority: 8, cell: ({ available, version }) => (available ? (version ?? 'unknown') : '') },
      { header: 'Reads', priority: 3, cell: ({ languages }) => ({ text: languages.join(', '), tone: 'dim' }) },
      {
        header: 'Details',
        priority: 9,
        min: 30,
        cell: ({ missing, path, lacks }) => [missing ?? path ?? '', ...lacks].join('. '),
      },
    ]),
    { lines: [{ text: hint, tone: 'dim' as const }] },
  ];
  return toTerminal(report, look, { narrowest: 40, widest: 140 });
}
