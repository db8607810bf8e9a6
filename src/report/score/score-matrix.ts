import { safeLine } from '../../text/safe-text.ts';
import { formatPercent } from '../terminal/format.ts';
import type { Canvas } from '../terminal/look.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { claimLine } from './describe-claim.ts';
import type { ScoreSheet } from './score-sheet.ts';

const MOST_ROWS = 60;

/** Several Blues side by side: their metrics, then which of them caught what. */
export function renderScoreMatrix(sheet: ScoreSheet, canvas: Canvas): string[][] {
  return [metricsTable(sheet, canvas), caughtTable(sheet, canvas)];
}

function metricsTable({ blues }: ScoreSheet, { width, style }: Canvas): string[] {
  const column = (key: string, header: string, priority: number): Column<string> => ({
    key,
    header,
    priority,
    align: 'right',
  });
  return renderTable({
    columns: [
      { key: 'name', header: 'Blue', priority: 9, min: 8 },
      column('recall', 'Recall', 8),
      column('precision', 'Precision', 7),
      column('f1', 'F1', 6),
      column('evasion', 'Evasion', 3),
      column('findings', 'Findings', 2),
      column('alarms', 'False alarms', 4),
      column('duplicates', 'Duplicates', 1),
    ],
    rows: blues.map(({ name, findings, results }) => ({
      name: { text: safeLine(name, 40), paint: style.bold },
      recall: { text: formatPercent(results.recall) },
      precision: { text: formatPercent(results.precision) },
      f1: { text: formatPercent(results.f1Score) },
      evasion: { text: formatPercent(results.evasionRate) },
      findings: { text: String(findings.length) },
      alarms: { text: String(results.falseAlarms.length) },
      duplicates: { text: String(results.duplicates.length) },
    })),
    width,
    style,
  }).lines;
}

function caughtTable({ red, blues }: ScoreSheet, { width, style }: Canvas): string[] {
  const rows = red.vulnerabilities.map((vulnerability, index) => {
    const cells = blues.map(({ results }, blue) => {
      const match = results.matches.find(({ vulnerabilityIndex }) => vulnerabilityIndex === index);
      const cell = match
        ? { text: match.matchType === 'exact' ? '✔' : '◐', paint: style.green }
        : { text: '✖', paint: style.red };
      return [`blue${blue}`, cell] as const;
    });
    return {
      id: { text: safeLine(vulnerability.id, 40) },
      what: { text: safeLine(claimLine(vulnerability), 200), paint: style.dim },
      ...Object.fromEntries(cells),
    };
  });
  const { lines, shown } = renderTable<string>({
    columns: [
      { key: 'id', header: 'Vulnerability', priority: 1_000, min: 6 },
      ...blues.map(({ name }, blue) => ({ key: `blue${blue}`, header: safeLine(name, 14), priority: 900 - blue })),
      { key: 'what', header: 'What', priority: 1, min: 12 },
    ],
    rows: rows.slice(0, MOST_ROWS),
    width,
    style,
  });
  if (lines.length === 0) return [];
  const hidden = blues.filter((_, blue) => !shown.includes(`blue${blue}`)).length;
  return [
    ...lines,
    ...(rows.length > MOST_ROWS ? [style.dim(`and ${rows.length - MOST_ROWS} more (--json lists all)`)] : []),
    ...(hidden > 0 ? [style.dim(`${hidden} more did not fit (--markdown shows all)`)] : []),
    style.dim('✔ exact  ◐ partial  ✖ evaded'),
  ];
}
