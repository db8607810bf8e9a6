import { toMarkdown } from 'salvo/kit/report-files';
import { describe, expect, test } from 'vitest';
import { buildScorecard } from '../../src/experiment/results/scorecard.ts';
import { summarizeExperiment } from '../../src/experiment/results/summarize-experiment.ts';
import { writeExperimentCsv, writeExperimentJsonl } from '../../src/report/experiment/experiment-games.ts';
import { experimentLatex, experimentReport, renderExperiment } from '../../src/report/experiment/experiment-report.ts';
import { scorecardReport } from '../../src/report/experiment/experiment-scorecard.ts';
import { failedGame, sampleExperiment, sampleGame, samplePlan, sampleScores } from './sample-experiment.ts';

/** Moves the cursor, breaks a row, starts a formula, a command, a cell, a page and a link. */
const HOSTILE = '=cmd|"x",\u001b[2J\r\n\\input{x} & | </td><script>@all [a](b) %';
const plan = samplePlan({ name: HOSTILE, blue: ['rules', HOSTILE] });
const experiment = sampleExperiment({ plan, stop_reason: HOSTILE });
const hostileScores = sampleScores([true]);
const hostileFinding = { finding: 0, rule: HOSTILE, resource: HOSTILE, title: HOSTILE };
hostileScores.vulnerabilities = [
  {
    id: HOSTILE,
    category: HOSTILE,
    severity: null,
    technique: HOSTILE,
    weakness: HOSTILE,
    resource: HOSTILE,
    found: true,
    found_by: hostileFinding,
  },
];
hostileScores.other_findings = [{ ...hostileFinding, kind: 'consequence', vulnerability_id: HOSTILE, why: HOSTILE }];
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

  test('has no precision for a Blue that reported nothing', async () => {
    const silent = sampleGame({ scores: sampleScores([false, false], 0) });
    const [head = '', line = ''] = (await csvOf([silent])).split('\r\n');
    const cells = Object.fromEntries(head.split(',').map((name, index) => [name, line.split(',')[index]]));
    expect(cells).toMatchObject({ precision: '', recall: '0', f1_score: '0', evasion_rate: '1' });
  });

  test('escapes names that would be a formula, another field, or another line', async () => {
    const text = await csvOf(games);
    expect(text).not.toContain('\u001b');
    expect(text).toContain(`"'=cmd|""x"",`);
  });
});

test('JSON lines have every game completely, without control characters', async () => {
  const parts: string[] = [];
  const write = (part: string) => {
    parts.push(part);
  };
  await writeExperimentJsonl(games, { write });
  const lines = parts.join('').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(games);
  expect(parts.join('')).not.toContain('\u001b');
});

describe('a scorecard in Markdown', () => {
  test('has what was found, what was flagged on clean code, and the score', async () => {
    const scanner = sampleExperiment({ kind: 'scanner', plan: samplePlan({ name: HOSTILE }) });
    const game = (language: 'terraform' | 'cloudformation') =>
      sampleGame({ language, scores: sampleScores([true, true], 3, { flagged: { network: 10 } }) });
    const text = toMarkdown(
      scorecardReport(await buildScorecard(scanner, [game('terraform'), game('cloudformation')])),
    );
    expect(text).toContain('**Score 0.50: the mean J of 2 categories**');
    expect(text).toContain('| iam | 2 | 100% | — | 0% | — |  | 1.00 | — |');
    expect(text).toContain('| network | 2 | 100% | — | 100% | — |  | 0.00 | — |');
    expect(text).toContain('| cloudformation | 2 | 100% | — | 100% | — | 30.0 | 0.00 | — |');
    expect(text).not.toMatch(/<script>|\u001b|\[a\]\(b\)|@all/);
  });

  test('says so when nothing could be scored', async () => {
    const card = await buildScorecard(sampleExperiment({ kind: 'scanner' }), []);
    expect(toMarkdown(scorecardReport(card))).toContain('No game could be scored');
  });
});

describe('LaTeX', () => {
  test('has as many cells in every line of a table as in its head', () => {
    const lines = experimentLatex(results).split('\n');
    const rows = lines.filter((line) => line.endsWith('\\\\'));
    expect(rows.length).toBeGreaterThan(8);
    const cells = (line: string) => line.split(/(?<!\\)&/).length;
    const widths = new Set(rows.map(cells));
    expect([...widths].toSorted((a, b) => a - b)).toEqual([6, 12, 15]);
    expect(lines.join('\n')).not.toMatch(/\\input|<script>|\u001b/);
  });

  test('has no empty tables', () => {
    expect(experimentLatex(nothing)).not.toContain('tabular');
  });
});

describe('Markdown', () => {
  test('escapes names', () => {
    const text = toMarkdown(experimentReport(results));
    expect(text).not.toMatch(/<script>|\u001b|\[a\]\(b\)|@all/);
    const tables = text.split('\n').filter((line) => line.startsWith('| '));
    expect(new Set(tables.map((line) => line.split(' | ').length))).toEqual(new Set([6, 10, 12, 15]));
  });
});

describe('the terminal', () => {
  test('shows metrics, a heat map, comparisons and failed games, none wider than it is', () => {
    const text = renderExperiment(results, look);
    expect(text).not.toContain('\u001b');
    expect(text).toContain('2 of 4 games scored, 1 failed, 1 not played');
    expect(text).toContain('--resume exp-1');
    expect(text).toContain('Failed games are not part of the results');
    expect(text).toMatch(/^Recall +rules/m);
    expect(text).toMatch(/^Compared/m);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('names games that failed for the same reason once', async () => {
    const broken = [1, 2, 3].map((index) =>
      failedGame({ game_id: `g${index}`, task: `task-${index}`, error: 'No tool.' }),
    );
    const other = failedGame({ game_id: 'g4', error: 'Out of memory.' });
    const text = renderExperiment(await summarizeExperiment(sampleExperiment(), [...broken, other]), look);
    expect(text.match(/No tool\./g)).toHaveLength(1);
    expect(text).toMatch(/✖ g1 \S+ on task-1 \(and in 2 other games\): No tool\./);
    expect(text).toMatch(/✖ g4 .*: Out of memory\./);
  });

  test('has both precisions, and says which one is used', async () => {
    const looked = sampleScores([true, false], 3, { consequences: 2 });
    const wide = { width: 120, color: false };
    const byTwin = renderExperiment(
      await summarizeExperiment(sampleExperiment(), [sampleGame({ scores: looked })]),
      wide,
    );
    expect(byTwin).toMatch(/Prec\. by twin +Classic +F1 by twin/);
    expect(byTwin).toMatch(/^rules .* 50% +25% +0\.50 /m);
    expect(byTwin).toContain('Precision, F1 and comparisons are by the clean twin');
    expect(byTwin).toContain('J: recall minus this share');
    expect(byTwin).toContain('salvo view exp-1');
    const both = sampleExperiment({ plan: samplePlan({ blue: ['rules', 'llm:m'] }) });
    const mixed = renderExperiment(
      await summarizeExperiment(both, [sampleGame({ scores: looked }), sampleGame({ game_id: 'g2', blue: 'llm:m' })]),
      wide,
    );
    expect(mixed).toMatch(/Prec\. by twin +Classic +Mean F1/);
    expect(mixed.replaceAll(/\s+/g, ' ')).toContain('Comparisons by classic precision have a *.');
  });

  test('says when the intervals come from few clusters', async () => {
    const played = (count: number) =>
      Array.from({ length: count }, (_, index) => sampleGame({ game_id: `g${index}`, code_key: `code-${index}` }));
    const few = await summarizeExperiment(sampleExperiment(), played(3));
    expect(renderExperiment(few, look).replaceAll(/\s+/g, ' ')).toContain(
      'Intervals: 95%, over pieces of code. Only 3 pieces of code: the intervals are wide',
    );
    expect(few.overall.clusters).toBe(3);
    const enough = await summarizeExperiment(sampleExperiment(), played(10));
    expect(renderExperiment(enough, look)).not.toContain('the intervals are wide');
  });

  test('says that nothing was played, and shows no metrics', () => {
    const text = renderExperiment(nothing, look);
    expect(text).toContain('0 of 2 games scored, 2 not played');
    expect(text).not.toContain('NaN');
    expect(text).not.toContain('%');
  });

  test.each([40, 60, 80, 140])(
    'leaves out no Blue of a heat map at a width of %i, and names no two alike',
    async (width) => {
      const blue = [
        'rules',
        'command:scan --strict {dir}',
        'command:scan --loose {dir}',
        'llm:a/long-name-1',
        'llm:a/long-name-2',
      ];
      const wide = samplePlan({ blue, red: ['mutation', 'llm:m'] });
      const played = blue.flatMap((name, index) =>
        ['mutation', 'llm:m'].map((red) => sampleGame({ game_id: `${red}${index}`, code_key: red, red, blue: name })),
      );
      const text = renderExperiment(await summarizeExperiment(sampleExperiment({ plan: wide }), played), {
        width,
        color: false,
      });
      const [, ...map] = text.split(/^Recall {2}/m);
      const heads = map.flatMap((part) => part.split('\n')[0]?.trim().split(/ {2,}/) ?? []);
      expect(heads).toHaveLength(blue.length);
      expect(new Set(heads).size).toBe(blue.length);
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    },
  );

  test('needs no Unicode on a dumb one', () => {
    expect(renderExperiment(results, { ...look, ascii: true })).toMatch(/^[\x20-\x7e\n␛]*$/);
  });
});
