import { cp } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { JudgeComparison } from '../../packages/salvo/src/judge/which/judge-comparison.ts';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

const EXAMPLE = new URL('../../examples/rubric-judge/', import.meta.url);

/** Judges that read a word of the answer, and count their calls in the cost. */
const JUDGE = `
export default async ({ messages }) => {
  const text = messages.at(-1).content;
  if (text.includes('UNREADABLE')) throw new Error('the service is down');
  const score = text.includes('GOOD') ? 1 : 0;
  return { content: JSON.stringify({ correct: { reasoning: 'It says so.', score } }), cost_usd: 0.01 };
};`;

const line = (index: number, passed: boolean, more = '') =>
  JSON.stringify({ task: `Task ${index}`, response: `${passed ? 'GOOD' : 'bad'} ${index}${more}`, passed });
const LABELS = Array.from({ length: 24 }, (_, index) => line(index, index % 2 === 0)).join('\n');

const FILES = {
  'salvo.yaml': 'adapters: { house: { type: module, path: ./judge.mjs } }',
  'judge.mjs': JUDGE,
  'rubric.yaml': 'criteria: [{ name: correct, description: Is it correct? }]',
  'labels.jsonl': LABELS,
  'judges.yaml': `
- { name: one, adapter: house, model: m, k: 1 }
- { name: three, adapter: house, model: m, k: 3 }
`,
};

async function compare(files: Record<string, string> = {}, args: readonly string[] = []) {
  await using project = await projectFixture({ ...FILES, ...files });
  const words = ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--judges', 'judges.yaml', '-q', ...args];
  return await runCli(words, { cwd: project.root });
}

test('the example compares its judges offline: a table, sentences and a document', async () => {
  await using project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true });
  const args = ['calibrate', 'labels.jsonl', '--rubric', 'rubrics/support.yaml', '--judges', 'judges.yaml', '-q'];
  const { stdout, stderr } = await runCli(args, { cwd: project.root });
  expect(stderr).toBe('');
  expect(stdout).toContain('Which judge? 2 judges on the same labels');
  expect(stdout).toMatch(/agrees most often with people in these labels: \d+% \(95% CI \d+–\d+%\)/);
  const json = await runCli([...args, '--json'], { cwd: project.root });
  const document: JudgeComparison = JSON.parse(json.stdout);
  expect(document).toMatchObject({ version: 1, labels: { lines: 24, answers: 24 } });
  expect(document.judges.map(({ name, reliability }) => [name, reliability?.source])).toEqual([
    ['votes', 'votes'],
    ['decision', 'decision'],
  ]);
});

test('a comparison is stored without a calibration, and can be forgotten', async () => {
  await using project = await projectFixture(FILES);
  const options = { cwd: project.root };
  const args = ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--judges', 'judges.yaml', '-q'];
  const { stdout } = await runCli(args, options);
  const id = /view (\w+)` shows it/.exec(stdout)?.[1] ?? '';
  const forgotten = await runCli(['calibrate', '--forget', id, '--json'], options);
  expect(JSON.parse(forgotten.stdout)).toMatchObject({ forgotten: id, judge_model: null });
  const again = await runCli(['calibrate', '--forget', id], options);
  expect([again.code, again.stderr]).toEqual([
    4,
    expect.stringContaining('No stored calibration or comparison is named'),
  ]);
});

test('costs are those of a verdict, and one that is unreadable is unscored', async () => {
  const unreadable = [24, 25].map((index) => line(index, true, ' UNREADABLE')).join('\n');
  const { stdout, code } = await compare({ 'labels.jsonl': `${LABELS}\n${unreadable}` }, ['--json']);
  const { judges, pairs, exit_code }: JudgeComparison = JSON.parse(stdout);
  expect([code, exit_code]).toEqual([0, 0]);
  expect(judges[0]).toMatchObject({ name: 'one', n: 24, judged: 26, unscored: { count: 2 }, kappa: 1, canaries: null });
  expect(judges[0]?.cost_usd_per_verdict).toBeGreaterThan(0.009);
  expect(judges[1]?.unscored_because).toContain('the service is down');
  expect(pairs).toEqual([expect.objectContaining({ first: 'one', second: 'three', n: 24, difference: 0, p_holm: 1 })]);
});

test('a budget stops it: what was not judged is said, and nothing is claimed', async () => {
  const { stdout } = await compare({}, ['--json', '--budget-usd', '0.1']);
  const { judges, reference }: JudgeComparison = JSON.parse(stdout);
  expect(reference).toBeNull();
  expect(judges.at(-1)?.not_judged).toBeGreaterThan(0);
  expect(judges.at(-1)?.sentences[0]).toContain('not judged');
});

test('canaries and biases are asked only with their options', async () => {
  const files = {
    'judges.yaml': '[{ name: one, adapter: house, model: m, k: 1 }]',
    // It believes whatever sounds certain.
    'judge.mjs': JUDGE.replace("text.includes('GOOD')", '/GOOD|indeed completely certain/.test(text)'),
    'labels.jsonl': Array.from({ length: 24 }, (_, at) => line(at, at % 2 === 0, ' is all that we know.')).join('\n'),
  };
  const { stdout } = await compare(files, ['--canaries', '--biases', '--json']);
  const { judges }: JudgeComparison = JSON.parse(stdout);
  // It answers about another criterion than the one that canaries are judged by, so that it scores none of them.
  expect(judges[0]?.canaries).toMatchObject({ canaries: { scored: 0, rate: null }, unscored: 107 });
  const [length, tone] = ['length', 'tone'].map((bias) => judges[0]?.biases?.find((each) => each.bias === bias));
  expect(tone).toMatchObject({ n: 24, points: 2.5, sentence: expect.stringContaining('+2.50 of 5 points') });
  expect(length).toMatchObject({ n: 24, points: 0, p_holm: 1 });
});

const few = Array.from({ length: 9 }, (_, index) => line(index, index % 2 === 0)).join('\n');
const same = Array.from({ length: 20 }, (_, index) => line(index, true)).join('\n');

test.each<[string, Record<string, string>, string[], string]>([
  ['labels: fewer than ten', { 'labels.jsonl': few }, [], 'labels.jsonl:1:1: there are 9 answers'],
  ['labels: one class only', { 'labels.jsonl': same }, [], 'labels.jsonl:1:1: people passed all 20 answers'],
  [
    'labels: unknown criterion',
    { 'labels.jsonl': `${LABELS}\n{"response":"a","labels":{"kind":1}}` },
    [],
    'labels.jsonl:25: there is no criterion "kind"',
  ],
  ['labels: empty', { 'labels.jsonl': '' }, [], 'labels.jsonl holds no labels'],
  ['labels: cut off', { 'labels.jsonl': `${LABELS}\n{"response":` }, [], 'labels.jsonl:25: breaks off'],
  ['labels: verdicts', { 'labels.jsonl': '{"human": true, "judge": true}' }, [], 'leave out --judges'],
  ['judges: empty', { 'judges.yaml': '' }, [], 'judges.yaml:1:1 error [empty-file]'],
  ['judges: no list', { 'judges.yaml': 'name: a' }, [], 'judges.yaml:1:1 error [wrong-type]'],
  [
    'judges: doubled names',
    { 'judges.yaml': '- { model: m }\n- { model: m }' },
    [],
    'judges.yaml:2:3 error [invalid-value] there are two judges',
  ],
  [
    'judges: unknown adapter',
    { 'judges.yaml': '- { adapter: hose, model: m }' },
    [],
    'judges.yaml:1:14 error [unknown-adapter]',
  ],
  ['judges: wrong types', { 'judges.yaml': '- { model: 3, k: many }' }, [], 'judges.yaml:1:12 error [wrong-type]'],
  ['--model as well', {}, ['--model', 'b'], 'leave out --model'],
  ['--repeats as well', {}, ['--repeats', '2'], '--repeats is for one judge'],
  ['--canaries of one judge', {}, ['--judge', 'one', '--canaries'], '`salvo judge-check` tests one judge'],
])('%s: refused with exit 4', async (_, files, args, message) => {
  const { code, stdout, stderr } = await compare(files, args);
  expect([code, stdout, stderr]).toEqual([4, '', expect.stringContaining(message)]);
});
