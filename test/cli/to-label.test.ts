import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';
import { sampleScenario, variedScript } from './sample-scenario.ts';

const vote = (score: number) => ({
  turns: [{ tool_calls: [{ name: 'score_criteria', arguments: { polite: { reasoning: 'Because.', score } } }] }],
});
const judge = (id: string) => ({ type: 'judge', id, criteria: [{ name: 'polite', description: 'It greets.' }] });

/** A judge of three votes, each by chance. */
async function judgedProject(...ids: string[]) {
  const project = await projectFixture({
    'salvo.yaml': JSON.stringify({
      adapters: { coin: { type: 'scripted', script: { variants: [vote(1), vote(0)] } } },
      judge: { adapter: 'coin', model: 'coin', k: 3 },
    }),
    's.yaml': sampleScenario({ assertions: ids.map(judge), script: variedScript() }),
  });
  await runCli(['run', 's.yaml', '-n', '30', '--seed', '3', '-q'], { cwd: project.root });
  return project;
}

test('trials are exported in the order of the draw, without verdicts, and their labels are weighted', async () => {
  await using project = await judgedProject('tone');
  const cwd = project.root;
  const { stdout, stderr } = await runCli(['export', '--to-label'], { cwd });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(stderr).toContain('Set "passed" to true or false');
  expect(lines.map(({ drawn }) => drawn.position)).toEqual(lines.map((_, index) => index + 1));
  expect(new Set(lines.map(({ drawn }) => drawn.rate)).size).toBeGreaterThan(1);
  expect(Object.keys(lines[0])).toEqual([
    ...['run_id', 'scenario', 'case', 'trial_number', 'passed', 'drawn', 'trace'],
  ]);
  expect(stdout).not.toContain('judge_model');

  const labelled = lines.map((line, index) => ({
    ...line,
    passed: index < 25 && index !== 3 ? index % 2 === 0 : null,
  }));
  await writeFile(project.path('labels.jsonl'), labelled.map((line) => JSON.stringify(line)).join('\n'));
  const calibrated = await runCli(['calibrate', 'labels.jsonl', '--json', '-q'], { cwd });
  const { items, notes } = JSON.parse(calibrated.stdout);
  expect(items).toBe(24);
  expect(notes.join(' ')).toContain('weighted by its chance of being drawn');
  expect(notes.join(' ')).toContain('1 trial was drawn and not labelled');

  await runCli(['export', '--to-label', 'tone', '--out', 'same.jsonl'], { cwd });
  expect(await readFile(project.path('same.jsonl'), 'utf8')).toBe(stdout);
});

test('a judge that is ambiguous or unknown is refused', async () => {
  await using project = await judgedProject('tone', 'style');
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(['export', 'latest', ...args], { cwd: project.root });
    expect([code, stdout]).toEqual([4, '']);
    return stderr;
  };
  expect(await refused('--to-label')).toContain('has 2 judges. Choose one: --to-label tone or --to-label style.');
  expect(await refused('--to-label', 'other')).toContain('has a judge "other"');
  expect(await refused('--to-label', 'tone', '--raw')).toContain('--raw');
});
