import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

/** A service behind a name: what it says depends on a file that is no part of the judge. Its votes vary a little. */
const JUDGE = `
import { readFileSync } from 'node:fs';
let votes = 0;
export default async ({ messages }) => {
  const text = messages.at(-1).content;
  const mood = readFileSync(new URL('mood.txt', import.meta.url), 'utf8').trim();
  if (mood === 'down') throw new Error('the service is down');
  votes += 1;
  const score = Math.max(0, (text.includes('GOOD') ? 1 : 0.25) - (votes % 7 === 0 ? 0.05 : 0) - (mood === 'strict' ? 0.3 : 0));
  return { content: JSON.stringify({ correct: { reasoning: 'It says so.', score } }), cost_usd: 0.001 };
};`;

const LABELS = Array.from({ length: 40 }, (_, index) =>
  JSON.stringify({
    task: `Task ${index}`,
    response: `${index % 2 ? 'GOOD' : 'bad'} ${index}`,
    passed: index % 2 === 1,
  }),
).join('\n');

const FILES = {
  'salvo.yaml': 'adapters: { house: { type: module, path: ./judge.mjs } }\njudge: { adapter: house, model: m, k: 3 }',
  'judge.mjs': JUDGE,
  'mood.txt': 'usual',
  's.yaml': `
name: s
prompt: Say something good.
adapter: scripted
script: [{ content: GOOD }]
assertions:
  - { type: judge, id: quality, threshold: 0.8, criteria: [{ name: correct, description: Is it correct? }] }
`,
  'labels.jsonl': LABELS,
};

async function fixture(files: Record<string, string> = {}) {
  const project = await projectFixture({ ...FILES, ...files });
  const salvo = (...words: string[]) => runCli(words, { cwd: project.root });
  const judgeOf = (text: string) => JSON.parse(text).scenarios[0].judges[0];
  return { project, salvo, judgeOf };
}

test('a service that says the same is unchanged, and one that became stricter is not used for a correction', async () => {
  const { project, salvo, judgeOf } = await fixture();
  await using _ = project;
  const calibrated = await salvo('calibrate', 'labels.jsonl', '--scenario', 's.yaml', '-q', '--json');
  expect([calibrated.code, JSON.parse(calibrated.stdout).stored]).toEqual([0, true]);
  expect(JSON.parse(calibrated.stdout).anchors).toBeUndefined();
  const same = judgeOf((await salvo('run', 's.yaml', '--check-judge', '-q', '--json')).stdout);
  expect(same.drift).toMatchObject({
    outcome: 'unchanged',
    anchors: 20,
    compared: 20,
    calls: 20,
    judge_cost_usd: 0.02,
  });
  expect(same.corrected_pass_rate).not.toBeNull();
  await writeFile(project.path('mood.txt'), 'strict');
  const run = await salvo('run', 's.yaml', '--check-judge', '-q', '--json');
  const changed = judgeOf(run.stdout);
  expect(changed.drift).toMatchObject({ outcome: 'changed', compared: 20 });
  expect(changed.drift.shift).toBeCloseTo(-0.28, 1);
  expect(changed).toMatchObject({ calibrated: true, corrected_pass_rate: null, corrected_ci: null });
  const report = await salvo('report', 'latest');
  expect(report.stdout.replaceAll(/\s+/g, ' ')).toContain('CHANGED on 20 anchors since its calibration');
  await writeFile(project.path('mood.txt'), 'usual');
  await salvo('run', 's.yaml', '-n', '3', '--check-judge', '--budget-usd', '0.022', '-q');
  const resumed = await salvo('run', '--resume', 'latest', '--check-judge', '--budget-usd', '0.03', '-q', '--json');
  const { judge_cost_usd } = judgeOf(resumed.stdout).drift;
  expect(judge_cost_usd).toBeGreaterThan(0.02);
  expect(judge_cost_usd).toBeLessThanOrEqual(0.03);
  const unchecked = judgeOf((await salvo('run', 's.yaml', '-q', '--json')).stdout);
  expect(unchecked.drift).toBeUndefined();
});
