import { describe, expect, test } from 'vitest';
import { summarizeExperiment } from '../../src/arena/experiment/summarize-experiment.ts';
import { writeExperimentCsv } from '../../src/report/experiment-csv.ts';
import { renderExperimentLatex } from '../../src/report/experiment-latex.ts';
import { renderExperimentMarkdown } from '../../src/report/experiment-markdown.ts';
import { renderExperiment } from '../../src/report/experiment-report.ts';
import { failedGame, sampleExperiment, sampleGame, samplePlan, sampleScores } from './sample-experiment.ts';

/** Moves the cursor, breaks a row, starts a formula, a command, a cell, a page and a link. */
const HOSTILE = '=cmd|"x",\u001b[2J\r\n\\input{x} & | </td><script>@all [a](b) %';
const plan = samplePlan({ name: HOSTILE, blue: ['rules', HOSTILE] });
const experiment = sampleExperiment({ plan, stop_reason: HOSTILE });
const hostileScores = sampleScores([true]);
hostileScores.vulnerabilities = [{ id: HOSTILE, category: HOSTILE, severity: null, technique: HOSTILE, found: true }];
const games = [
  sampleGame({ game_id: 'g1' }),
  sampleGame({ game_id: 'g2', blue: HOSTILE, scores: hostileScores }),
  failedGame({ game_id: 'g3', code_key: 'code-2', task: HOSTILE, error: HOSTILE }),
];
const results = await summarizeExperiment(experiment, games);
const nothing = await summarizeExperiment(sampleExperiment(), []);
const look = { width: 80, color: false };

async function csvOf(list: typeof games): Promise<string> {
  const parts: string[] = [];
  await writeExperimentCsv(list, {
    write: (part) => {
      parts.push(part);
    },
  });
  return parts.join('');
}

describe('CSV', () => {
  test('has a line for each game, and empty scores for one that failed', async () => {
    const lines = (await csvOf([sampleGame(), failedGame()])).trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    const columns = lines[0]?.split(',') ?? [];
    const cell = (line: number, name: string) => lines[line]?.split(',')[columns.indexOf(name)];
    expect([cell(1, 'recall'), cell(1, 'true_positives'), cell(1, 'status')]).toEqual(['0.5', '1', 'scored']);
    expect([cell(2, 'recall'), cell(2, 'true_positives'), cell(2, 'status')]).toEqual(['', '', 'failed']);
    expect([cell(2, 'failed_stage'), cell(2, 'blue_cost_usd')]).toEqual(['blue', '']);
  });

  test('lets no name be a formula, another field, or another line', async () => {
    const text = await csvOf(games);
    expect(text).not.toContain('\u001b');
    expect(text).toContain(`"'=cmd|""x"",`);
  });
});

describe('LaTeX', () => {
  test('has as many cells in every line of a table as in its head', () => {
    const lines = renderExperimentLatex(results).split('\n');
    const rows = lines.filter((line) => line.endsWith('\\\\'));
    expect(rows.length).toBeGreaterThan(8);
    const cells = (line: string) => line.split(/(?<!\\)&/).length;
    const widths = new Set(rows.map(cells));
    expect([...widths].toSorted((a, b) => a - b)).toEqual([5, 6, 9, 10]);
    expect(lines.join('\n')).not.toMatch(/\\input|<script>|\u001b/);
  });

  test('has tables only for what there is', () => {
    expect(renderExperimentLatex(nothing)).not.toContain('tabular');
  });
});

describe('Markdown', () => {
  test('lets a name be nothing but a name', () => {
    const text = renderExperimentMarkdown(results);
    expect(text).not.toMatch(/<script>|\u001b|\[a\]\(b\)|@all/);
    const tables = text.split('\n').filter((line) => line.startsWith('| '));
    expect(new Set(tables.map((line) => line.split(' | ').length))).toEqual(new Set([5, 7, 11]));
  });
});

describe('the terminal', () => {
  test('shows figures, a heat map, comparisons and failed games, none wider than it is', () => {
    const text = renderExperiment(results, look);
    expect(text).not.toContain('\u001b');
    expect(text).toContain('2 of 4 games scored, 1 failed, 1 not played');
    expect(text).toContain('--resume exp-1');
    expect(text).toContain('Failed games are in none of the figures');
    expect(text).toMatch(/^Recall +rules/m);
    expect(text).toMatch(/^Compared/m);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('says that nothing was played, and shows no figure', () => {
    const text = renderExperiment(nothing, look);
    expect(text).toContain('0 of 2 games scored, 2 not played');
    expect(text).not.toContain('NaN');
    expect(text).not.toContain('%');
  });

  test('needs no Unicode on a dumb one', () => {
    expect(renderExperiment(results, { ...look, ascii: true })).toMatch(/^[\x20-\x7e\n␛]*$/);
  });
});
