import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { importTraces } from '../../packages/salvo/src/app/imports/import-traces.ts';
import { openProject } from '../../packages/salvo/src/app/project/open-project.ts';
import { type ExportedTrial, openRun } from '../../packages/salvo/src/app/results/open-run.ts';
import { reevaluateRun } from '../../packages/salvo/src/app/results/reevaluate.ts';
import { findRunToResume } from '../../packages/salvo/src/app/selection/resume-run.ts';
import { runCli } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';

interface Row {
  id?: string;
  case?: string;
  trial?: number;
  passed?: boolean;
  reward?: number;
  [field: string]: unknown;
}

const conversation = (row: Row, answer = 'done') => ({
  ...row,
  messages: [
    { role: 'user', content: 'Look it up, {{name}}. {{#if x}}' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'look', arguments: '{"x":1}' } }] },
    { role: 'tool', tool_call_id: 'c', content: 'found' },
    { role: 'assistant', content: answer },
  ],
});
const lines = (...rows: object[]) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;

/** Tasks with the rewards of their trials, counted from 0 as some benchmarks do. */
const benchmark = (tasks: Record<string, number[]>) =>
  lines(
    ...Object.entries(tasks).flatMap(([name, rewards]) =>
      rewards.map((reward, trial) => conversation({ id: `${name}-${trial}`, case: name, trial, reward })),
    ),
  );

async function trialsOf(cwd: string, run: string): Promise<ExportedTrial[]> {
  await using opened = await openRun({ cwd, env: {}, run });
  return await Array.fromAsync(opened.trials());
}

it('gives the pass^k of given rewards in one command', async () => {
  await using project = await projectFixture({
    'r.jsonl': benchmark({ a: [1, 1, 1, 1], b: [1, 0.5, 0, 1], c: [0, 0, 0, 1] }),
  });
  const imported = await runCli(['import', 'r.jsonl'], { cwd: project.root });
  // By C(c, k) / C(n, k): b has 2 of 4, c has 1 of 4.
  expect(imported).toMatchObject({ code: 0, stderr: '' });
  expect(imported.stdout).toContain('r: 3 cases, 12 trials; pass^k as given: 1: 58%, 2: 39%, 3: 33%, 4: 33%');
  expect(imported.stdout).toContain('given, not judged: 7 of 12 passed');
  const report = await runCli(['report'], { cwd: project.root });
  expect(report.stdout).toContain('pass^k (all k pass)           1: 58%, 2: 39%, 3: 33%, 4: 33%');
  expect(report).toMatchObject({ code: 0 });
  expect(report.stdout).toContain('12 traces imported, not judged; given outcomes: 7 of 12 passed');
});

it('keeps trials, texts and fields, and says why a trial failed', async () => {
  await using project = await projectFixture({ 'r.jsonl': benchmark({ a: [0.5, 1] }) });
  const { run_id } = await importTraces({ files: ['r.jsonl'], cwd: project.root, env: {} });
  const [first, second] = await trialsOf(project.root, run_id ?? '');
  expect(first).toMatchObject({
    ...{ case: 'a', trial_number: 1, adapter: 'import' },
    result: { status: 'failed', score: 0.5, imported: { file: 'r.jsonl', line: 1 } },
    trace: {
      imported: { id: 'a-0', given: { passed: false, reward: 0.5, pass_at: 1 } },
      tool_calls_made: [{ name: 'look', result: 'found' }],
    },
  });
  expect(first?.result?.eval_results[0]?.details).toBe('the file says: reward 0.5, below 1');
  expect(first?.trace?.messages[0]?.content).toBe('Look it up, {{name}}. {{#if x}}');
  expect(second).toMatchObject({ trial_number: 2, result: { status: 'passed' } });
});

it('stores the same import once, and another choice as another run', async () => {
  await using project = await projectFixture({ 'r.jsonl': benchmark({ a: [1, 0] }) });
  const place = { files: ['r.jsonl'], cwd: project.root, env: {} };
  const first = await importTraces(place);
  const again = await importTraces(place);
  expect([first.status, again.status, again.run_id]).toEqual(['stored', 'present', first.run_id]);
  expect(again.given).toEqual(first.given);
  expect((await importTraces({ ...place, passAt: 0 })).given).toEqual({ outcomes: 2, passed: 2 });
  {
    // Until it is purged, the deleted run keeps its id.
    await using opened = await openProject(place);
    await opened.store.deleteRun(first.run_id ?? '');
  }
  const anew = await importTraces(place);
  expect(anew).toMatchObject({ status: 'stored', given: first.given });
  expect(anew.run_id).not.toBe(first.run_id);
  expect(await importTraces(place)).toMatchObject({ status: 'present', run_id: anew.run_id });
});

it('goes on with an import that was stopped', async () => {
  const rows = Array.from({ length: 600 }, (_, index) => conversation({ id: `${index}`, passed: index % 2 === 0 }));
  await using project = await projectFixture({ 'r.jsonl': lines(...rows) });
  const stop = new AbortController();
  const place = { files: ['r.jsonl'], cwd: project.root, env: {} };
  const stopped = await importTraces({
    ...{ ...place, stop: stop.signal },
    onProgress: ({ phase, conversations }) => phase === 'storing' && conversations >= 200 && stop.abort(),
  });
  expect(stopped.status).toBe('interrupted');
  const before = await trialsOf(project.root, stopped.run_id ?? '');
  expect(before.length).toBeGreaterThan(100);
  expect(before.length).toBeLessThan(600);
  const whole = await importTraces(place);
  expect(whole).toMatchObject({ status: 'stored', run_id: stopped.run_id, given: { outcomes: 600, passed: 300 } });
  const after = await trialsOf(project.root, stopped.run_id ?? '');
  expect(after.length).toBe(600);
  expect(new Set(after.map((trial) => trial.case)).size).toBe(600);
  await using opened = await openRun({ cwd: project.root, env: {}, run: whole.run_id ?? '' });
  expect(opened.run).toMatchObject({ status: 'finished', verdict: 'RECORDED', exit_code: 0 });
  await expect(findRunToResume(opened.store, opened.run.run_id)).rejects.toMatchObject({ code: 'RUN_IS_IMPORT' });
});

it('leaves out doubled conversations, and keeps equal ones that nothing tells apart', async () => {
  await using project = await projectFixture({
    'a.jsonl': lines(conversation({ id: '1', case: 'x' }), conversation({ id: '2', case: 'x' })),
    'b.jsonl': lines(conversation({ id: '2', case: 'x' }), conversation({ case: 'y' }), conversation({ case: 'y' })),
  });
  const report = await importTraces({ files: ['.'], cwd: project.root, env: {} });
  expect(report.files.map(({ conversations, doubled }) => [conversations, doubled])).toEqual([
    [2, 0],
    [2, 1],
  ]);
  expect(report.scenarios).toMatchObject([{ cases: 2, trials: 4 }]);
  expect(report.notes).toEqual([expect.stringContaining('1 conversations are equal')]);
  const trials = await trialsOf(project.root, report.run_id ?? '');
  expect(trials.map((trial) => [trial.case, trial.trial_number])).toEqual([
    ['x', 1],
    ['x', 2],
    ['y', 1],
    ['y', 2],
  ]);
});

it.each([
  [
    { passed: 'model' },
    'The field "model" that --passed names has to be true or false, 1 or 0, pass or fail. It is "m".',
  ],
  [{ reward: 'case' }, 'The field "case" that --reward names has to be a number. It is "x".'],
  [
    { case: 'metadata.task' },
    'No conversation has the field "metadata.task" that --case names. They have: case, model, info.reward.',
  ],
])('refuses the choice %j', async (choice, problem) => {
  await using project = await projectFixture({
    'r.jsonl': lines(conversation({ case: 'x', model: 'm', info: { reward: '0.8' } })),
  });
  const options = Object.entries(choice).flatMap(([name, field]) => [`--${name}`, field]);
  expect(await runCli(['import', 'r.jsonl', ...options], { cwd: project.root })).toMatchObject({
    ...{ code: 4, stdout: '' },
    stderr: `${problem}\n`,
  });
  const read = await importTraces({
    ...{ files: ['r.jsonl'], cwd: project.root, env: {}, dryRun: true },
    ...{ reward: 'info.reward', passAt: 0.8 },
  });
  expect(read.given).toEqual({ outcomes: 1, passed: 1 });
});

it('says what to write if a format is named like a file', async () => {
  await using project = await projectFixture({});
  expect((await runCli(['import', 'langfuse', 'results.json'], { cwd: project.root })).stderr).toContain(
    'name the files alone, or add --format langfuse',
  );
});

it('is strict about losses of files that are stored already', async () => {
  await using project = await projectFixture({ 'r.jsonl': `${lines(conversation({}))}{"messages": [` });
  const place = { files: ['r.jsonl'], cwd: project.root, env: {} };
  expect(await importTraces(place)).toMatchObject({ status: 'stored' });
  await expect(importTraces({ ...place, strict: true })).rejects.toMatchObject({ code: 'IMPORT_LOSSY' });
});

it('leaves out what is no conversation among the files of a folder', async () => {
  await using project = await projectFixture({
    'logs/a.jsonl': `{"level": "info"}\n${lines(conversation({ id: '1' }))}`,
    'logs/settings.json': '{"compiler": {"strict": true}}',
  });
  const report = await importTraces({ files: ['logs'], cwd: project.root, env: {} });
  expect(report.files).toMatchObject([
    { file: 'logs/a.jsonl', conversations: 1, losses: [{ line: 1 }] },
    {
      file: 'logs/settings.json',
      conversations: 0,
      losses: [{ line: 1, problem: expect.stringContaining('is in no form that Salvo knows') }],
    },
  ]);
  const named = { files: ['logs/settings.json', 'logs/a.jsonl'], cwd: project.root, env: {} };
  await expect(importTraces(named)).rejects.toMatchObject({ code: 'IMPORT_FORMAT_UNKNOWN' });
});

it('says in which files nothing was said, and names a sub-agent by the file beside its own', async () => {
  const session = { sessionId: 's', isSidechain: true, agentId: '7' };
  await using project = await projectFixture({
    'agents/agent-7.jsonl': lines(
      { ...session, type: 'user', uuid: 'u', parentUuid: null, message: { role: 'user', content: 'Look' } },
      { ...session, type: 'assistant', uuid: 'a', parentUuid: 'u', message: { role: 'assistant', content: 'Seen' } },
    ),
    'agents/agent-7.meta.json': '{"agentType": "explorer", "toolUseId": "t1"}',
    'agents/agent-8.jsonl': lines({ type: 'summary', summary: 'Nothing', leafUuid: 'x' }),
    'agents/agent-8.meta.json': '{"agentType": ',
  });
  const report = await importTraces({ files: ['agents'], cwd: project.root, env: {} });
  expect(report.files.map(({ file, conversations, losses_total }) => [file, conversations, losses_total])).toEqual([
    ['agents/agent-7.jsonl', 1, 0],
    ['agents/agent-8.jsonl', 0, 0],
  ]);
  expect(report.notes).toEqual(['Nothing was said in agents/agent-8.jsonl, so no conversation is read from it.']);
  const [trial] = await trialsOf(project.root, report.run_id ?? '');
  expect(JSON.stringify(trial)).toContain('"explorer"');
  const named = { files: ['agents/agent-7.jsonl', 'agents/agent-8.jsonl'], cwd: project.root, env: {}, dryRun: true };
  expect((await importTraces(named)).notes).toHaveLength(1);
  const alone = { ...named, files: ['agents/agent-8.jsonl'] };
  await expect(importTraces(alone)).rejects.toMatchObject({ code: 'IMPORT_NOTHING_READ' });
});

it('shares traces between imports that overlap', async () => {
  await using project = await projectFixture({
    'a.jsonl': lines(conversation({ id: '1' })),
    'b.jsonl': lines(conversation({ id: '0' }, 'other'), conversation({ id: '1' })),
  });
  const [a, b] = [
    await importTraces({ files: ['a.jsonl'], cwd: project.root, env: {} }),
    await importTraces({ files: ['b.jsonl'], cwd: project.root, env: {} }),
  ];
  const idOf = async (run: string | null, name: string) =>
    (await trialsOf(project.root, run ?? '')).find((trial) => trial.case === name)?.result?.trace_id;
  expect(await idOf(a.run_id, '1')).toBe(await idOf(b.run_id, '1'));
});

it('reads what export wrote as it was', async () => {
  const rows = [
    conversation({ id: '1', case: 'x', passed: true }),
    conversation({ id: '2', case: 'x', passed: false }),
    conversation({ id: '3' }),
  ];
  await using project = await projectFixture({
    'a.jsonl': lines(...rows.map((row) => ({ ...row, timestamp: '2026-01-02T03:04:05.678Z' }))),
  });
  await importTraces({ files: ['a.jsonl'], cwd: project.root, env: {} });
  await runCli(['export', '-o', 'out.jsonl'], { cwd: project.root });
  const again = await importTraces({ files: ['out.jsonl'], cwd: project.root, env: {} });
  expect(again).toMatchObject({ given: { outcomes: 2, passed: 1 }, files: [{ format: 'salvo', losses_total: 0 }] });
  await runCli(['export', again.run_id ?? '', '-o', 'again.jsonl'], { cwd: project.root });
  const read = async (name: string): Promise<ExportedTrial[]> =>
    (await readFile(project.path(name), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const [before, after] = [await read('out.jsonl'), await read('again.jsonl')];
  const kept = ({ trace, case: of, trial_number, result }: ExportedTrial) => [trace, of, trial_number, result?.status];
  expect(after.map(kept)).toEqual(before.map(kept));
});

it('judges imported conversations again, and keeps the given outcome beside', async () => {
  await using project = await projectFixture({
    'r.jsonl': lines(
      conversation({ id: '1', case: 'x', passed: true }),
      conversation({ id: '2', case: 'x', passed: true }, 'failed'),
      conversation({ id: '3', case: 'y', passed: false }, 'failed'),
    ),
    'own.yaml': 'prompt: Never sent.\nassertions:\n  - { type: output_contains, value: done }\n',
  });
  const { run_id } = await importTraces({ files: ['r.jsonl'], cwd: project.root, env: {} });
  const { run, scenarios } = await reevaluateRun({
    target: run_id ?? '',
    scenario: 'own.yaml',
    cwd: project.root,
    env: {},
  });
  expect(scenarios).toMatchObject([
    { task_changes: [], after: { trials_passed: 1, given: { outcomes: 3, passed: 2, compared: 3, agree: 2 } } },
  ]);
  expect(scenarios[0]?.after.assertion_failures.map(({ assertion_type }) => assertion_type)).toEqual([
    'output_contains',
  ]);
  const [first] = await trialsOf(project.root, run.run_id);
  expect(first?.result?.eval_results.map(({ assertion_type, weight }) => [assertion_type, weight])).toEqual([
    ['output_contains', 1],
    ['given', 0],
  ]);
  const same = await reevaluateRun({ target: run_id ?? '', cwd: project.root, env: {} });
  expect(same.scenarios).toMatchObject([{ changed_trials: [], after: { trials_passed: 2 } }]);
});

it('reads outcomes and cases from the fields that are named', async () => {
  const rows = [0.9, 0.2].map((score, trial) =>
    conversation({ meta: { task: 'x', n: `${trial + 1}`, score, ok: trial === 1 ? 'pass' : 'fail' } }),
  );
  await using project = await projectFixture({ 'r.jsonl': lines(...rows) });
  const place = { files: ['r.jsonl'], cwd: project.root, env: {}, dryRun: true, case: 'meta.task', trial: 'meta.n' };
  expect(await importTraces({ ...place, reward: 'meta.score', passAt: 0.8 })).toMatchObject({
    scenarios: [{ cases: 1, trials: 2 }],
    given: { outcomes: 2, passed: 1 },
  });
  expect((await importTraces({ ...place, passed: 'meta.ok' })).given).toEqual({ outcomes: 2, passed: 1 });
  await expect(importTraces({ ...place, passed: 'mta.ok' })).rejects.toThrow(
    /No conversation has the field "mta.ok".*meta/,
  );
});

it('stores no secret', async () => {
  const secret = `sk-ant-api03-${'aB3'.repeat(20)}`;
  await using project = await projectFixture({
    'r.jsonl': lines(conversation({ id: '1', note: secret }, `the key is ${secret}`)),
  });
  const { run_id } = await importTraces({ files: ['r.jsonl'], cwd: project.root, env: {} });
  const stored = JSON.stringify(await trialsOf(project.root, run_id ?? ''));
  expect(stored).toContain('REDACTED');
  expect(stored).not.toContain(secret);
});

it('names what could not be read, and stores nothing of it if that is asked for', async () => {
  await using project = await projectFixture({
    'r.jsonl': `${lines(conversation({ id: '1' }))}nonsense\n`,
    'none.jsonl': '{"a": 1}\n',
  });
  const strict = await runCli(['import', 'r.jsonl', '--strict'], { cwd: project.root });
  expect(strict).toMatchObject({ code: 4, stdout: '' });
  expect(strict.stderr).toContain('r.jsonl:2 is not valid JSON');
  const nothing = await runCli(['import', 'none.jsonl'], { cwd: project.root });
  expect(nothing).toMatchObject({ code: 4, stdout: '' });
  expect(nothing.stderr).toContain('none.jsonl:1 is in no form that Salvo knows: it is an object with a');
  const partly = await runCli(['import', 'r.jsonl', '--json'], { cwd: project.root });
  expect(JSON.parse(partly.stdout)).toMatchObject({
    version: 1,
    status: 'stored',
    files: [{ conversations: 1, losses: [{ line: 2 }] }],
  });
  expect(await runCli(['import', 'missing.jsonl'], { cwd: project.root })).toMatchObject({ code: 4 });
  expect(await runCli(['import', 'r.jsonl', '--format', 'conversations'], { cwd: project.root })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('did you mean "conversation"?'),
  });
});

it('reads standard input, and names hostile cases without harm', async () => {
  const names = ['', ' ', 'x'.repeat(5000), '__proto__', '{{name}}', '\u001b[31m', 'a\nb'];
  await using project = await projectFixture({});
  const input = Readable.from([lines(...names.map((name) => conversation({ case: name, passed: true })))]);
  const report = await importTraces({ files: ['-'], input, cwd: project.root, env: {} });
  const trials = await trialsOf(project.root, report.run_id ?? '');
  expect(trials).toHaveLength(names.length);
  expect(new Set(trials.map((trial) => trial.case)).size).toBe(report.scenarios[0]?.cases);
  const { code, stdout } = await runCli(['report'], { cwd: project.root });
  expect(code).toBe(0);
  expect(stdout).not.toContain('\u001b[31m');
});

it('compares a judge with given outcomes, and reads them from exported lines as well', async () => {
  const verdict = { tool_calls: [{ name: 'score_criteria', arguments: { right: { reasoning: 'Yes.', score: 1 } } }] };
  await using project = await projectFixture({
    'r.jsonl': lines(
      ...[1, 0, 1].map((reward, index) => conversation({ case: `${index}`, reward }, `answer ${index}`)),
    ),
    'judged.yaml': JSON.stringify({
      ...{ name: 'judged', prompt: 'Look it up.' },
      assertions: [{ type: 'judge', criteria: [{ name: 'right', description: 'Is it right?' }] }],
    }),
    'salvo.yaml': JSON.stringify({
      adapters: { house: { type: 'scripted', script: [verdict] } },
      judge: { adapter: 'house', model: 'house', k: 1 },
    }),
  });
  const salvo = (...args: string[]) => runCli(args, { cwd: project.root });
  await salvo('import', 'r.jsonl');
  expect(await salvo('calibrate', '--given')).toMatchObject({
    ...{ code: 3, stderr: expect.stringContaining('No judge has judged conversations with a given outcome') },
  });
  await salvo('export', '-o', 'labels.jsonl');
  await salvo('reeval', 'latest', '--scenario', 'judged.yaml', '-q');
  for (const args of [['--given'], ['labels.jsonl', '--scenario', 'judged.yaml']]) {
    const { overall } = JSON.parse((await salvo('calibrate', ...args, '--json', '-q')).stdout);
    expect(overall).toMatchObject({ n: 3, human_passed: 2, agreement: 2 / 3 });
  }
  expect((await salvo('calibrate', 'labels.jsonl', '--given')).stderr).toContain('leave out labels.jsonl');
});
