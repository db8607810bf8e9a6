import { type Canvas, renderTable } from 'salvo/kit/report';
import { safeLine } from 'salvo/kit/text';
import { claimLine } from './describe-claim.ts';
import { comparedMetrics } from './score-metrics.ts';
import type { ScoreSheet } from './score-sheet.ts';

const MOST_ROWS = 60;

/** Several Blues side by side: their metrics, then which of them caught what. */
export function renderScoreMatrix(sheet: ScoreSheet, canvas: Canvas): string[][] {
  return [metricsTable(sheet, canvas), caughtTable(sheet, canvas)];
}

function metricsTable({ blues }: ScoreSheet, { width, style }: Canvas): string[] {
  const metrics = comparedMetrics(blues);
  return renderTable<string>({
    columns: [
      { key: 'name', header: 'Blue', priority: 9, min: 8 },
      ...metrics.map(({ header, priority }) => ({ key: header, header, priority, align: 'right' as const })),
    ],
    rows: blues.map((blue) => ({
      name: { text: safeLine(blue.name, 200), paint: style.bold },
      ...Object.fromEntries(metrics.map(({ header, text }) => [header, { text: text(blue) }])),
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
      id: { text: safeLine(vulnerability.id, 200) },
      what: { text: safeLine(claimLine(vulnerability), 400), paint: style.dim },
      ...Object.fromEntries(cells),
    };
  });
  const { lines, shown } = renderTable<string>({
    columns: [
      { key: 'id', header: 'Vulnerability', priority: 1_000, min: 6 },
      ...blues.map(({ name }, blue) => ({
        key: `blue${blue}`,
        header: safeLine(name, 200),
        priority: 900 - blue,
        min: 8,
      })),
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
    ...(rows.length > MOST_ROWS ? [style.dim(`and ${rows.length - MOST_ROWS} more (JSON lists all)`)] : []),
    ...(hidden > 0 ? [style.dim(`${hidden} more did not fit (Markdown shows all)`)] : []),
    style.dim('✔ exact  ◐ partial  ✖ evaded'),
  ];
}
