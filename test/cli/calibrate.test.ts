import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { calibrationRecordSchema } from '../../packages/salvo/src/judge/calibration/calibration-record.ts';
import { judgesOf } from '../../packages/salvo/src/store/judge-tables.ts';
import { type Exchange, startLoopback } from '../loopback/loopback-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { documentOf, runCli, startCli, storeOf } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** A judge that passes an answer with the word GOOD, errs at FLIP, and at SLOW waits while there is a file `wait`. */
const HOUSE_JUDGE = `
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
export default async ({ messages }) => {
  const text = messages.at(-1).content;
  if (text.includes('LOST')) throw new Error('the house is empty');
  if (text.includes('SLOW')) {
    writeFileSync('begun', '');
    while (existsSync('wait')) await sleep(10);
  }
  const score = text.includes('GOOD') !== text.includes('FLIP') ? 1 : 0;
  return { content: JSON.stringify({ correct: { reasoning: 'It says so.', score } }), cost_usd: 0.001 };
};`;

const CRITERIA = [{ name: 'correct', description: 'Is it right?' }];

/** Labelled by people who pass every second answer. */
function labels(count: number, change: (index: number) => Record<string, unknown> = () => ({})): string {
  return Array.from({ length: count }, (_, index) => {
    const passed = index % 2 === 0;
    // Copies of one answer would count as one.
    const response = `${passed ? 'GOOD' : 'bad'} ${index}`;
    return `${JSON.stringify({ task: 'Say it.', response, passed, ...change(index) })}\n`;
  }).join('');
}

function houseProject(files: Record<string, string> = {}): Promise<ProjectFixture> {
  return projectFixture({
    'judge.mjs': HOUSE_JUDGE,
    'salvo.yaml': JSON.stringify({
      adapters: { house: { type: 'module', path: './judge.mjs', isolate: false } },
      judge: { adapter: 'house', model: 'house-1', k: 1 },
      concurrency: 2,
    }),
    'rubric.yaml': JSON.stringify(CRITERIA),
    'labels.jsonl': labels(40, (index) => (index === 4 || index === 7 ? { response: `GOOD FLIP ${index}` } : {})),
    'judged.yaml': sampleScenario({
      script: [{ content: 'GOOD' }],
      assertions: [{ type: 'judge', id: 'right', criteria: CRITERIA }],
    }),
    ...files,
  });
}

test('a judge that agrees with people is usable: exit 0, and from then on its pass rates are corrected', async () => {
  await using project = await houseProject();
  const before = await runCli(['run', 'judged.yaml', '-n', '4', '--json'], { cwd: project.root });
  expect(before.stderr).toBe(
    'Warning: the judge house-1 of judged.yaml was never compared with people. `salvo calibrate labels.jsonl --scenario judged.yaml` shows how far to trust it.\n',
  );
  const [uncalibrated] = documentOf(before).scenarios[0]?.judges ?? [];
  expect(uncalibrated).toMatchObject({ assertion_id: 'right', calibrated: false, pass_rate: 1, votes_cast: 4 });

  const run = await runCli(['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml'], { cwd: project.root });
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('corrects the pass rates of this judge by it from then on');
  expect(run.stdout).toContain('house-1 (house) 1 vote\n✔ usable');
  expect(run.stdout).toContain('`salvo run` corrects the pass rates of this judge from now on. Cost $0.0400.');

  const after = await runCli(['run', 'judged.yaml', '-n', '4', '--json'], { cwd: project.root });
  expect(after.stderr).toBe('');
  const [judge] = documentOf(after).scenarios[0]?.judges ?? [];
  expect(judge).toMatchObject({
    calibrated: true,
    calibration_verdict: 'usable',
    pass_rate: 1,
    corrected_pass_rate: 1,
  });
  expect(judge?.corrected_ci?.[0]).toBeLessThan(1);
  const report = await runCli(['report'], { cwd: project.root });
  expect(report.stdout.replaceAll(/\s+/g, ' ')).toMatch(/people would pass (about )?100%/);
});

test('the calibration is stored under the hash of the judge, and replaced by the next', async () => {
  await using project = await houseProject();
  const args = ['calibrate', 'labels.jsonl', '--json', '--scenario', 'judged.yaml'];
  const first = JSON.parse((await runCli(args, { cwd: project.root })).stdout);
  await runCli([...args, '--repeats', '2'], { cwd: project.root });
  const votes = JSON.parse((await runCli([...args, '-k', '3'], { cwd: project.root })).stdout);
  const other = JSON.parse((await runCli([...args, '--model', 'house-2'], { cwd: project.root })).stdout);
  expect(first).toMatchObject({ stored: true, exit_code: 0, not_judged: 0, judge_model: 'house-1' });
  expect(new Set([first.judge_hash, votes.judge_hash, other.judge_hash]).size).toBe(3);
  await using store = await storeOf(project);
  const record = calibrationRecordSchema.parse(await judgesOf(store).getCalibration(first.judge_hash));
  expect(record).toMatchObject({ k: 1, votes: 80, overall: { repeat_flip_rate: 0, vote_flip_rate: 0 } });
  expect(await judgesOf(store).getCalibration(other.judge_hash)).toMatchObject({ judge_model: 'house-2' });
});

test('a judge that passes everything is no better than chance: exit 1', async () => {
  const script = [
    { tool_calls: [{ name: 'score_criteria', arguments: { correct: { reasoning: 'Fine.', score: 1 } } }] },
  ];
  await using project = await houseProject({
    'salvo.yaml': JSON.stringify({ adapters: { yes: { type: 'scripted', script } }, judge: { adapter: 'yes' } }),
  });
  const run = await runCli(['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml'], { cwd: project.root });
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('✖ no better than chance');
  // A script needs no calibration, and uses one that is there.
  const judged = await runCli(['run', 'judged.yaml', '-n', '1', '--json'], { cwd: project.root });
  expect(documentOf(judged).scenarios[0]?.judges).toMatchObject([{ calibrated: true, corrected_pass_rate: null }]);
});

test('a scripted judge causes no warning', async () => {
  const script = [{ content: '{"correct": 1}' }];
  await using project = await houseProject({
    'salvo.yaml': JSON.stringify({ adapters: { yes: { type: 'scripted', script } }, judge: { adapter: 'yes' } }),
  });
  const run = await runCli(['run', 'judged.yaml', '-n', '1', '--json'], { cwd: project.root });
  expect(run.stderr).toBe('');
  expect(documentOf(run).scenarios[0]?.judges).toMatchObject([{ calibrated: null, pass_rate: 1 }]);
});

test('what could not be scored is no verdict on the judge: exit 3, and nothing is stored', async () => {
  await using project = await houseProject({
    'labels.jsonl': labels(10, (index) => (index > 3 ? { response: 'LOST' } : {})),
  });
  const args = ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml'];
  const run = await runCli(args, { cwd: project.root });
  expect(run.code).toBe(3);
  expect(run.stdout).toContain('Not stored: too few items could be scored.');
  expect(run.stdout.replaceAll(/\s+/g, ' ')).toContain('the house is empty');
});

test('a budget is kept, and the number of items left out is reported', async () => {
  await using project = await houseProject();
  const args = ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--json', '--budget-usd', '0.01'];
  const run = await runCli(args, { cwd: project.root });
  expect(run.code).toBe(3);
  expect(JSON.parse(run.stdout)).toMatchObject({ stored: false, items: 10, not_judged: 30 });
});

test('Ctrl-C finishes what is being judged and reports it', async () => {
  await using project = await houseProject({
    wait: '',
    'labels.jsonl': labels(200, (index) => ({ response: `${index % 2 === 0 ? 'GOOD' : 'bad'} SLOW` })),
  });
  const args = ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--json'];
  const { child, result, untilStderrHas } = startCli(args, { cwd: project.root });
  while (!existsSync(project.path('begun'))) await sleep(20);
  child.kill('SIGINT');
  await untilStderrHas('Finishing what is being judged.');
  await project.remove('wait');
  const { code, stdout } = await result;
  expect(code).toBe(3);
  const { items, not_judged, scored, stored } = JSON.parse(stdout);
  expect({ total: items + not_judged, stored }).toEqual({ total: 200, stored: false });
  expect(scored).toBe(items);
  // Two are judged at once.
  expect(items).toBeLessThanOrEqual(2);
});

test('labels may bring their own rubric', async () => {
  await using project = await houseProject({ 'labels.jsonl': labels(24, () => ({ criteria: CRITERIA })) });
  const run = await runCli(['calibrate', 'labels.jsonl', '--json'], { cwd: project.root });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ stored: true, overall: { n: 24, agreement: 1 } });
});

test.each([
  ['no judge in the project', [], 'labels.jsonl:1: by which rubric? No scenario of the project asks a judge.'],
  ['two rubrics', ['--rubric', 'rubric.yaml', '--scenario', 'judged.yaml'], 'cannot be used with'],
  ['a rubric that is not there', ['--rubric', 'none.yaml'], 'does not exist'],
  ['a scenario without a judge', ['--scenario', 'plain.yaml'], 'plain.yaml has no assertion of type judge'],
  ['an unknown adapter', ['--rubric', 'rubric.yaml', '--judge', 'nobody'], 'There is no adapter "nobody"'],
  ['a threshold beyond the scale', ['--rubric', 'rubric.yaml', '--threshold', '2'], 'from 0 to 1'],
])('%s is wrong input: exit 4, and nothing is left behind', async (_, args, message) => {
  await using project = await houseProject({ 'plain.yaml': sampleScenario() });
  const run = await runCli(['calibrate', 'labels.jsonl', ...args], { cwd: project.root });
  expect(run).toMatchObject({ code: 4, stdout: '' });
  expect(run.stderr).toContain(message);
  const stored = await runCli(['report'], { cwd: project.root });
  expect(stored.code).toBe(4);
});

test('every problem of a label file is named with its line', async () => {
  await using project = await houseProject({
    'labels.jsonl': '{"response": "x", "labels": {"corect": 1}}\n{"response": 7, "passed": true}\n',
  });
  const run = await runCli(['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml'], { cwd: project.root });
  expect(run.code).toBe(4);
  expect(run.stderr).toMatch(/^labels\.jsonl:1: .*"correct"/m);
  expect(run.stderr).toMatch(/^labels\.jsonl:2: "response" should be a text/m);
  const missing = await runCli(['calibrate', 'none.jsonl', '--rubric', 'rubric.yaml'], { cwd: project.root });
  expect(missing).toMatchObject({ code: 4, stderr: 'none.jsonl cannot be read: there is no such file.\n' });
});

test('a model is asked over the wire, and asked again only for what was not paid for', async () => {
  const vote = (score: number): Exchange => ({
    reply: completion({
      toolCalls: [
        { id: '1', name: 'score_criteria', arguments: JSON.stringify({ correct: { reasoning: 'r', score } }) },
      ],
    }),
  });
  await using server = await startLoopback([vote(1), vote(0), vote(1)]);
  const files = (count: number) => ({
    'labels.jsonl': labels(count, (index) => ({ task: `Task ${index}` })),
    'salvo.yaml': JSON.stringify({
      adapters: { local: { type: 'openai', base_url: `${server.url}/v1` } },
      judge: { adapter: 'local', model: 'gpt-4o-mini', k: 1 },
      concurrency: 1,
    }),
  });
  await using project = await houseProject(files(2));
  const args = ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--json'];
  const first = JSON.parse((await runCli(args, { cwd: project.root })).stdout);
  expect(first).toMatchObject({ overall: { agreement: 1 }, stored: true });
  expect(first.judge_cost_usd).toBeGreaterThan(0);
  await project.write('labels.jsonl', files(3)['labels.jsonl']);
  const second = JSON.parse((await runCli(args, { cwd: project.root })).stdout);
  expect(second).toMatchObject({ items: 3, overall: { agreement: 1 } });
  expect(second.judge_cost_usd).toBeCloseTo(first.judge_cost_usd / 2);
});

test('without a rubric, the only judge of the project is meant', async () => {
  const scenario = (name: string, judge: Record<string, unknown>) =>
    sampleScenario({
      name,
      script: [{ content: 'GOOD' }],
      assertions: [{ type: 'judge', id: 'right', criteria: CRITERIA, ...judge }],
    });
  await using project = await houseProject({ 'scenarios/a.yaml': scenario('a', { k: 3, early_stop: true }) });
  const one = await runCli(['calibrate', 'labels.jsonl'], { cwd: project.root });
  expect(one.code).toBe(0);
  expect(one.stdout).toContain('house-1 (house) 3 votes');
  const run = await runCli(['run', 'scenarios/a.yaml', '-n', '2', '--json'], { cwd: project.root });
  expect(documentOf(run).scenarios[0]?.judges).toMatchObject([{ calibrated: true }]);

  await project.write('scenarios/b.yaml', scenario('b', { k: 5 }));
  const two = await runCli(['calibrate', 'labels.jsonl'], { cwd: project.root });
  expect(two).toMatchObject({ code: 4, stdout: '' });
  expect(two.stderr).toBe(
    [
      'labels.jsonl:1: the project has 2 judges. Choose one:',
      '  salvo calibrate labels.jsonl --scenario scenarios/a.yaml',
      '  salvo calibrate labels.jsonl --scenario scenarios/b.yaml',
      '',
    ].join('\n'),
  );
});

test('a judge with another number of votes is another judge, and the run says how it differs', async () => {
  await using project = await houseProject();
  await runCli(['calibrate', 'labels.jsonl', '--scenario', 'judged.yaml', '-k', '3'], { cwd: project.root });
  const run = await runCli(['run', 'judged.yaml', '-n', '2', '--json'], { cwd: project.root });
  expect(run.stderr).toContain(
    'of judged.yaml was calibrated with k=3, this run uses k=1: calibrate again, with `salvo calibrate labels.jsonl --scenario judged.yaml`',
  );
  expect(documentOf(run).scenarios[0]?.judges).toMatchObject([
    {
      calibrated: false,
      corrected_pass_rate: null,
      calibration_note: 'calibrated with k=3, this run uses k=1: calibrate again',
    },
  ]);
});

test('a module with other content is another judge', async () => {
  await using project = await houseProject();
  await runCli(['calibrate', 'labels.jsonl', '--scenario', 'judged.yaml'], { cwd: project.root });
  await project.write('judge.mjs', `${HOUSE_JUDGE}\n// changed`);
  const run = await runCli(['run', 'judged.yaml', '-n', '2', '--json'], { cwd: project.root });
  expect(run.stderr).toMatch(/was calibrated with server=module \.\/judge\.mjs \w+, this run uses server=/);
});

test('the verdicts of another judge are compared without asking a model: nothing is stored', async () => {
  const verdicts = Array.from({ length: 40 }, (_, index) =>
    JSON.stringify({ human: index % 2 === 0, judge: index === 7 || index % 2 === 0, task: `Task ${index}` }),
  );
  await using project = await projectFixture({ 'verdicts.jsonl': verdicts.join('\n') });
  const run = await runCli(['calibrate', 'verdicts.jsonl', '--json'], { cwd: project.root });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(run.stdout)).toMatchObject({
    stored: false,
    judge_cost_usd: 0,
    overall: { n: 40, agreement: 39 / 40 },
    disagreements: [{ line: 8, task: 'Task 7', human: { passed: false }, judge: { passed: true } }],
  });
  expect(existsSync(project.path('.salvo'))).toBe(false);
  const asked = await runCli(['calibrate', 'verdicts.jsonl', '--judge', 'openai'], { cwd: project.root });
  expect(asked).toMatchObject({ code: 4, stdout: '' });
  expect(asked.stderr).toContain('so no judge is asked: leave out --judge');
});

test('one label corrects nothing, and it is not said to: exit 3', async () => {
  await using project = await houseProject({ 'labels.jsonl': labels(1) });
  const run = await runCli(['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml'], { cwd: project.root });
  expect(run.code).toBe(3);
  expect(run.stdout).toContain('◌ too few labels\npeople passed the only item');
  expect(run.stdout).toContain('corrects no pass rates by it');
});

test('labels that name their scenario correct that scenario, and the run says by which', async () => {
  await using project = await houseProject({
    'labels.jsonl': labels(40, (index) => ({
      scenario: 'sample',
      ...(index === 4 ? { response: `GOOD FLIP ${index}` } : {}),
    })),
  });
  await runCli(['calibrate', 'labels.jsonl', '--scenario', 'judged.yaml'], { cwd: project.root });
  const run = await runCli(['run', 'judged.yaml', '-n', '4', '--json'], { cwd: project.root });
  const [scenario] = documentOf(run).scenarios;
  expect(scenario?.judges[0]?.calibration_note).toBe('the labels are of this scenario');
});

test('a calibration says before and after what it changes, and how to undo it', async () => {
  await using project = await houseProject();
  const cwd = project.root;
  const corrected = async () => {
    const run = await runCli(['run', 'judged.yaml', '-n', '4', '--json'], { cwd });
    return documentOf(run).scenarios[0]?.judges[0]?.calibrated;
  };
  const args = ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml'];
  const first = await runCli(args, { cwd });
  expect(first.stderr).toBe(
    'The result is stored. If the labels say enough, `salvo run` corrects the pass rates of this judge by it from then on; `salvo calibrate --forget` undoes that.\n',
  );
  const [, undo = ''] = /To undo: salvo (calibrate --forget [0-9a-f]{12})\n$/.exec(first.stdout) ?? [];
  expect(await corrected()).toBe(true);
  await runCli([...args, '--model', 'house-2', '-q'], { cwd });
  const which = await runCli(['calibrate', '--forget'], { cwd });
  expect(which).toMatchObject({ code: 4, stdout: '' });
  expect(which.stderr).toContain(`salvo ${undo}   house-1`);
  expect(which.stderr).toContain('house-2');
  const forgotten = await runCli(undo.split(' '), { cwd });
  expect(forgotten).toMatchObject({ code: 0, stderr: '' });
  expect(forgotten.stdout).toContain('no longer corrects its pass rates');
  expect(await corrected()).toBe(false);
  expect((await runCli(['calibrate', '--forget', '--json'], { cwd })).code).toBe(0);
  const none = await runCli(['calibrate', '--forget'], { cwd });
  expect(none).toMatchObject({ code: 4, stdout: '', stderr: 'No calibration is stored.\n' });
});

test('a calibration from before its judge was described is listed as such, and can be forgotten', async () => {
  await using project = await houseProject();
  const cwd = project.root;
  for (const model of ['house-1', 'house-2'])
    await runCli(['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--model', model, '-q'], { cwd });
  const database = new DatabaseSync(project.path('.salvo/salvo.db'));
  const old = database
    .prepare(
      `UPDATE calibrations SET record = json_remove(record, '$.judge', '$.document_version')
       WHERE record ->> 'judge_model' = 'house-2' RETURNING judge_hash`,
    )
    .get();
  database.close();
  const hash = String(old?.judge_hash).slice(0, 12);
  const { stderr } = await runCli(['calibrate', '--forget'], { cwd });
  expect(stderr).toContain(`salvo calibrate --forget ${hash}   judge unknown: it can't be read (judge: `);
  const forgotten = await runCli(['calibrate', '--forget', hash], { cwd });
  expect(forgotten).toMatchObject({ code: 0, stdout: expect.stringContaining('of an unknown judge of ') });
});

test('a calibration that stores nothing does not say that it would', async () => {
  await using project = await projectFixture({ 'verdicts.jsonl': '{"human": true, "judge": true}' });
  const run = await runCli(['calibrate', 'verdicts.jsonl'], { cwd: project.root });
  expect(run.stderr).toBe('');
  expect(run.stdout).not.toContain('--forget');
});
