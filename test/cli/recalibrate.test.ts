import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

/** A decision model that is too strict: of answers of which people pass 70%, it says 34%. */
const JUDGE = `
export default {
  async sendTurn(messages, _tools, { decision = [] }) {
    const text = messages.at(-1).content;
    const probability = (Number(/ANSWER (\\d+)/.exec(text)?.[1] ?? 50) / 100) ** 3;
    const answers = decision.map(({ type, name }) => ({ type, name, probability }));
    const tool_calls = [{ id: 'decision', name: 'decide', arguments: { answers } }];
    return { content: null, tool_calls, usage: { input_tokens: 1, output_tokens: 0 }, finish_reason: 'tool_calls', raw_response: null };
  },
};`;

/** Ten levels of quality with eight answers each, of which people pass as many percent. */
const LABELS = Array.from({ length: 80 }, (_, index) => {
  const [quality, number] = [5 + 10 * Math.floor(index / 8), index % 8];
  return JSON.stringify({ response: `ANSWER ${quality} no. ${number}`, passed: (number + 0.5) * 12.5 < quality });
});

const scenario = (criterion: string) => `
name: asks
prompt: How is it?
assertions: [{ type: judge, id: good, threshold: 0.8, criteria: [{ name: good, description: ${criterion}, binary: true }] }]
script: { variants: [{ turns: [{ content: ANSWER 75 here }] }] }
`;

const FILES = {
  'salvo.yaml': `
default_adapter: scripted
default_model: m
judge: { adapter: house, model: odds, mode: decide }
prices: { odds: { input_per_million: 0, output_per_million: 0 }, m: { input_per_million: 0, output_per_million: 0 } }
adapters: { house: { type: module, path: ./judge.mjs } }
`,
  'judge.mjs': JUDGE,
  'labels.jsonl': LABELS.join('\n'),
  'scenarios/asks.yaml': scenario('Is it good?'),
};

test('a recalibration is stored with the calibration, used by runs and reeval, and named in reports', async () => {
  await using project = await projectFixture(FILES);
  const salvo = (...args: string[]) => runCli(args, { cwd: project.root });
  const before = await salvo('run', '-n', '2', '--quiet');
  expect([before.code, before.stdout]).toEqual([1, expect.not.stringContaining('recalibrated')]);
  const calibrated = await salvo('calibrate', 'labels.jsonl', '--recalibrate', '-q', '--json');
  const { recalibration, overall, notes } = JSON.parse(calibrated.stdout);
  expect(recalibration).toMatchObject({ answers: 80, map: { method: expect.any(String) } });
  expect(notes.at(-1)).toMatch(/^Recalibrated by .* on 80 answers of 80 cases/);
  // The figures are those of the judge as it is used: it passes more.
  expect(overall.sensitivity.rate).toBeGreaterThan(0.6);

  const run = await salvo('run', '-n', '2', '--quiet', '--json');
  const [summary] = JSON.parse(run.stdout).scenarios[0].judges;
  expect(run.code).toBe(0);
  expect(summary.recalibration).toMatchObject({ answers: 80, verdicts_changed: 2 });
  const text = await salvo('report');
  expect(text.stdout).toMatch(/recalibrated by .* on 80 labelled answers, 2 verdicts changed by it/);
  expect((await salvo('report', '--markdown', 'report.md')).code).toBe(0);
  expect(await readFile(project.path('report.md'), 'utf8')).toContain('2 verdicts changed by it');
  const replayed = await salvo('replay', 'latest', '--full');
  expect(replayed.stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /its probability of 0.42 counts as 0.\d+, so it passes, and would have failed/,
  );
  const again = await salvo('reeval', '--quiet');
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('No trial was judged differently')]);
  expect((await salvo('report')).stdout).toContain('2 verdicts changed by it');
});

test('another judge does not use it, nor one that is calibrated again without it', async () => {
  await using project = await projectFixture(FILES);
  const salvo = (...args: string[]) => runCli(args, { cwd: project.root });
  await salvo('calibrate', 'labels.jsonl', '--recalibrate', '-q');
  const judgesOf = async () => {
    const { stdout } = await salvo('run', '-n', '1', '--quiet', '--json');
    return JSON.parse(stdout).scenarios[0].judges[0];
  };
  expect(await judgesOf()).toMatchObject({ pass_rate: 1, recalibration: { verdicts_changed: 1 } });
  await project.write('scenarios/asks.yaml', scenario('Is it really good?'));
  const other = await judgesOf();
  expect([other.pass_rate, other.recalibration, other.calibrated]).toEqual([0, undefined, false]);
  await project.write('scenarios/asks.yaml', scenario('Is it good?'));
  await salvo('calibrate', 'labels.jsonl', '-q');
  expect([(await judgesOf()).pass_rate, (await judgesOf()).recalibration]).toEqual([0, undefined]);
});

test.each<[string, Record<string, string>, string[], string]>([
  [
    'few labels',
    { 'labels.jsonl': LABELS.slice(0, 40).join('\n') },
    [],
    'Not recalibrated: it needs 50 labelled answers',
  ],
  [
    'a single vote',
    { 'salvo.yaml': FILES['salvo.yaml'].replace(', mode: decide', ', k: 1'), 'judge.mjs': CHAT() },
    [],
    'Not recalibrated: a single vote says no probability',
  ],
])('%s: nothing is corrected, and the report says why', async (_, files, args, message) => {
  await using project = await projectFixture({ ...FILES, ...files });
  const { stdout } = await runCli(['calibrate', 'labels.jsonl', '--recalibrate', '-q', '--json', ...args], {
    cwd: project.root,
  });
  const { recalibration, notes } = JSON.parse(stdout);
  expect(recalibration).toBeUndefined();
  expect(notes.at(-1)).toContain(message);
});

function CHAT(): string {
  return `export default async () => ({ content: JSON.stringify({ good: { reasoning: 'So.', score: 1 } }), cost_usd: 0 });`;
}

test('a comparison of judges, and verdicts of others, have nothing to recalibrate', async () => {
  await using project = await projectFixture({
    ...FILES,
    'verdicts.jsonl': '{"human": true, "judge": true}',
    'judges.yaml': '[{ name: one, adapter: house, model: odds, mode: decide }]',
  });
  const salvo = (...args: string[]) => runCli(['calibrate', ...args, '--recalibrate', '-q'], { cwd: project.root });
  const compared = await salvo('labels.jsonl', '--judges', 'judges.yaml');
  expect([compared.code, compared.stderr]).toEqual([4, expect.stringContaining('--recalibrate is for one judge')]);
  const recorded = await salvo('verdicts.jsonl');
  expect([recorded.code, recorded.stderr]).toEqual([4, expect.stringContaining('leave out --recalibrate')]);
});
