import { hash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBaseline } from '../../packages/salvo/src/app/compare/baseline.ts';
import { listRuns, openRun } from '../../packages/salvo/src/app/results/open-run.ts';
import { mergeParts } from '../../packages/salvo/src/app/runs/merge-parts.ts';
import { performRun, runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { runShard } from '../../packages/salvo/src/app/runs/run-shard.ts';
import { dehydrate } from '../../packages/salvo/src/store/documents/dehydrate.ts';
import { partFileName } from '../../packages/salvo/src/store/parts/part-document.ts';
import { readPart } from '../../packages/salvo/src/store/parts/read-part.ts';
import { contentHash } from '../../packages/salvo/src/text/json/canonical-json.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const vote = (score: number) =>
  `{ weight: 1, turns: [{ tool_calls: [{ name: score_criteria, arguments: { polite: { reasoning: r, score: ${score} } } }], usage: { input_tokens: 90, output_tokens: 9 } }] }`;
const answers = (...texts: string[]) =>
  `{ variants: [${texts.map((text) => `{ turns: [{ content: ${text}, usage: { input_tokens: 9, output_tokens: 9 } }] }`).join(', ')}, { turns: [{ error: { status: 400, message: no } }] }] }`;

/** Cases, judges, skipped scenarios and cases, and trials that cannot be scored. */
const FILES = {
  'salvo.yaml': `default_adapter: scripted
default_model: gpt-4o-mini
judge: { adapter: voter, model: gpt-4o-mini, k: 3 }
adapters: { voter: { type: scripted, script: { variants: [${vote(1)}, ${vote(0.5)}, ${vote(0)}] } } }
`,
  'scenarios/table.yaml': `data: rows.csv
prompt: "{{question}}"
script: ${answers('yes', 'no', '"{{said}}"')}
min_pass_rate: 50%
min_pass_hat_k: { k: 2, rate: 10% }
max_cost_usd: 1
assertions: [{ type: output_contains, value: "yes" }]
`,
  'scenarios/rows.csv':
    'name,question,said,skip,trials,quarantine\na,why?,yes,,5,\nb,how?,no,,,\nc,when?,yes,later,,\nd,what?,no,,2,2999-12-31: flaky\n',
  'scenarios/judged.yaml': `prompt: hi
script: ${answers('please', 'no')}
assertions: [{ type: judge, criteria: [{ name: polite, description: Says please. }] }]
`,
  'scenarios/later.yaml':
    'prompt: hi\nskip: not ready\nscript: [{ content: hi }]\nassertions: [{ type: output_contains, value: hi }]\n',
};

let whole: ProjectFixture;
let divided: ProjectFixture;
const options = { seed: 3, allowUnscored: true, env: {} };

beforeAll(async () => {
  [whole, divided] = await Promise.all([projectFixture(FILES), projectFixture(FILES)]);
  for (const index of [1, 2, 3]) {
    await using shard = await runShard({ ...options, cwd: divided.root, shard: { index, count: 3 }, out: 'parts' });
    expect(shard).toMatchObject({ isComplete: true, file: divided.path(`parts/${partFileName({ index, count: 3 })}`) });
  }
});

afterAll(async () => {
  await whole[Symbol.asyncDispose]();
  await divided[Symbol.asyncDispose]();
});

const part = (index: number) => divided.path(`parts/${partFileName({ index, count: 3 })}`);

/** Without what no two runs have in common: ids, times and durations. */
function comparable(value: unknown): unknown {
  const isOfOneRun = /^(?:run_id|trace_id|created_at|finished_at|timestamp|latency_\w+|started_seconds)$/;
  return JSON.parse(JSON.stringify(value, (key, inner) => (isOfOneRun.test(key) ? null : inner)));
}

async function exported(cwd: string, run: string) {
  await using opened = await openRun({ cwd, env: {}, run });
  const trials = await Array.fromAsync(opened.trials());
  return trials.map(comparable);
}

describe('the parts of all shards', () => {
  test('are one run that equals that of one machine, trial by trial and summary by summary', async () => {
    await using one = await runFiles({ ...options, cwd: whole.root });
    await using merged = await mergeParts({ cwd: divided.root, env: {}, paths: ['parts'] });
    const expected = await exported(whole.root, one.run.run_id);
    expect(await exported(divided.root, merged.run.run_id)).toEqual(expected);
    expect(comparable(merged.run)).toEqual(comparable(one.run));
    // What makes the comparison worth something.
    const [judged, table, later] = one.run.scenarios.map(({ summary }) => summary);
    expect(expected).toHaveLength(13);
    expect(judged?.judges).toMatchObject([{ votes_cast: expect.any(Number), calibrated: null }]);
    expect(table?.trials_unscored).toBeGreaterThan(0);
    expect(table?.trials_passed).toBeGreaterThan(0);
    expect(table?.trials_failed).toBeGreaterThan(0);
    expect(table?.cases.map(({ skipped }) => skipped)).toEqual([null, null, 'later', null]);
    expect(later).toMatchObject({ verdict: 'SKIPPED', skipped: 'not ready' });
  });

  test('give the same run when they are merged again, also as copies and from folders in folders', async () => {
    await using first = await mergeParts({ cwd: divided.root, env: {}, paths: ['parts'] });
    for (const index of [1, 2]) {
      const copy = divided.path(`downloads/job-${index}/${partFileName({ index, count: 3 })}`);
      await mkdir(dirname(copy), { recursive: true });
      await cp(part(index), copy);
    }
    await using again = await mergeParts({ cwd: divided.root, env: {}, paths: ['downloads', part(3), 'parts'] });
    expect(again.run).toEqual(first.run);
    expect(await listRuns({ cwd: divided.root, env: {} })).toHaveLength(1);
  });

  test.each([
    ['of its stored form', (trace: object) => hash('sha256', dehydrate(trace).document, 'hex')],
    ['of its JSON with sorted keys', contentHash],
  ])('may have ids of traces from earlier versions: a hash %s', async (_, earlierId) => {
    const [header = '', ...trials] = (await readFile(part(1), 'utf8')).trim().split('\n').slice(0, -1);
    const earlier = trials.map((line) => {
      const { trial, trace } = JSON.parse(line);
      return trace === null ? line : line.replaceAll(trial.trace_id, earlierId(trace).slice(0, 32));
    });
    expect(earlier).not.toEqual(trials);
    const content = [header, ...earlier].map((line) => `${line}\n`).join('');
    const end = JSON.stringify({ end: true, trials: trials.length, sha256: hash('sha256', content, 'hex') });
    const file = divided.path('earlier.jsonl');
    await writeFile(file, `${content}${end}\n`);
    expect(await readPart(file)).toMatchObject({ count: trials.length });
  });

  test('give no verdict while one is missing, whatever the run tolerates, but the results so far', async () => {
    await using merged = await mergeParts({ cwd: divided.root, env: {}, paths: [part(1), part(3)] });
    expect(merged.missing).toEqual(['2/3']);
    expect(merged.outcome).toMatchObject({ verdict: 'UNSCORED', exitCode: 3 });
    expect(merged.notes).toEqual(['The part of shard 2/3 is missing: this is no verdict.']);
    expect(merged.run.status).toBe('interrupted');
    const table = merged.run.scenarios[1]?.summary;
    expect(table?.trials_total).toBeGreaterThan(0);
    expect(table?.cases.map((each) => each.case)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('are refused if they are of different plans, with what differs', async () => {
    await using other = await projectFixture(FILES);
    const write = async (changes: Partial<typeof options> & { trials?: number }, count = 3) => {
      const shard = { index: 2, count };
      await using written = await runShard({ ...options, ...changes, cwd: other.root, shard, out: 'parts' });
      return written.file;
    };
    const refused = async (file: string) =>
      await mergeParts({ cwd: divided.root, env: {}, paths: [part(1), file] }).then(
        () => 'merged',
        (error: Error) => error.message,
      );
    expect(await refused(await write({ seed: 4 }))).toMatch(/They differ in seed \(3, 4\)\.$/);
    expect(await refused(await write({}, 4))).toMatch(/They differ in the number of shards \(3, 4\)\.$/);
    await other.write('salvo.yaml', FILES['salvo.yaml'].replace('k: 3', 'k: 1'));
    expect(await refused(await write({}))).toMatch(/They differ in salvo\.yaml\.$/);
    await other.write('scenarios/rows.csv', FILES['scenarios/rows.csv'].replace('why?', 'who?'));
    expect(await refused(await write({}))).toMatch(/They differ in the content of scenarios\/table\.yaml\.$/);
    await other.write('scenarios/more.yaml', FILES['scenarios/judged.yaml']);
    expect(await refused(await write({}))).toMatch(/They differ in the scenarios, their adapters or their models\.$/);
  });

  test('are refused if two of the same shard have different results', async () => {
    await using other = await projectFixture(FILES);
    await using again = await runShard({ ...options, cwd: other.root, shard: { index: 1, count: 3 }, out: 'parts' });
    await expect(mergeParts({ cwd: divided.root, env: {}, paths: ['parts', again.file] })).rejects.toThrow(
      'are both shard 1/3, with different results. Keep one of them.',
    );
  });
});

test('the merged run is compared with a baseline as the run of one machine is', async () => {
  const script =
    'adapter: scripted\nscript: { variants: [{ turns: [{ content: "no" }] }, { turns: [{ content: nope }] }] }';
  const scenario = `prompt: hi\n${script}\nassertions: [{ type: output_contains, value: "yes" }]\n`;
  await using project = await projectFixture({ 's.yaml': scenario });
  const run = { cwd: project.root, env: {}, files: ['s.yaml'], trials: 12 };
  for (const index of [1, 2]) {
    await using _ = await runShard({ ...run, shard: { index, count: 2 }, out: 'parts' });
  }
  const merge = (against?: string) => mergeParts({ cwd: project.root, env: {}, paths: ['parts'], against });
  await expect(createBaseline({ cwd: project.root, env: {} })).rejects.toThrow('is shard 2/2 of a run');
  await using failed = await merge();
  const { text } = await createBaseline({ cwd: project.root, env: {}, run: failed.run.run_id, force: true });
  await project.write('b.json', text);
  await project.write('better.json', text.replace('000000000000', '111111111111'));

  await using one = await runFiles({ ...run, against: 'better.json' });
  await using worse = await merge('better.json');
  expect(one.outcome).toMatchObject({ verdict: 'FAIL', exitCode: 1 });
  expect(worse.outcome).toMatchObject({ verdict: 'FAIL', exitCode: 1 });
  expect(worse.run).toMatchObject({ verdict: 'FAIL', exit_code: 1 });
  expect(worse.against?.scenarios).toEqual(one.against?.scenarios);
  expect(comparable(worse.run)).toEqual(comparable(one.run));
  // As bad as the baseline, but a run in which nothing passed never passes.
  await using same = await merge('b.json');
  expect(same.outcome).toMatchObject({ verdict: 'FAIL', exitCode: 1 });
  expect(new Set([failed, worse, same].map((each) => each.run.run_id)).size).toBe(3);
});

describe('a shard', () => {
  test('that is resumed writes its part again, and only as the shard that it was', async () => {
    await using project = await projectFixture(FILES);
    const shard = { index: 1, count: 2 };
    const stopped = new AbortController();
    await using begun = await runShard({
      ...options,
      ...{ cwd: project.root, shard, out: 'parts', concurrency: 1, stop: stopped.signal },
      onEvent: ({ type }) => (type === 'trial_finished' ? stopped.abort() : undefined),
    });
    expect(begun.isComplete).toBe(false);
    const again = { cwd: project.root, env: {}, resume: 'latest' };
    await expect(performRun(again)).rejects.toThrow('was begun with `shard` 1/2: add `shard` 1/2 and `out`');
    await expect(runShard({ ...again, shard: { index: 2, count: 2 }, out: 'parts' })).rejects.toThrow(
      'was begun with `shard` 1/2',
    );
    await using resumed = await runShard({ ...again, shard, out: 'parts' });
    expect(resumed.isComplete).toBe(true);
    expect(resumed.run.run_id).toBe(begun.run.run_id);
    await using other = await runShard({ ...options, cwd: project.root, shard: { index: 2, count: 2 }, out: 'parts' });
    await using merged = await mergeParts({ cwd: project.root, env: {}, paths: ['parts'] });
    expect(merged.missing).toEqual([]);
    expect(other.isComplete).toBe(true);
  });

  test('that begins removes its earlier part, so that a killed shard is missing and not out of date', async () => {
    await using project = await projectFixture({ ...FILES, 'parts/salvo-part-1-of-2.jsonl': 'old' });
    const failing = {
      cwd: project.root,
      env: {},
      files: ['nothing.yaml'],
      shard: { index: 1, count: 2 },
      out: 'parts',
    };
    await expect(runShard(failing)).rejects.toThrow();
    expect(await readdir(project.path('parts'))).toEqual([]);
  });

  test('that records no texts can be merged, with the same names and numbers', async () => {
    const files = { ...FILES, 'salvo.yaml': `${FILES['salvo.yaml']}recording: { mode: metadata_only }\n` };
    await using project = await projectFixture(files);
    for (const index of [1, 2]) {
      await using _ = await runShard({ ...options, cwd: project.root, shard: { index, count: 2 }, out: 'parts' });
    }
    await using one = await runFiles({ ...options, cwd: project.root });
    await using merged = await mergeParts({ cwd: project.root, env: {}, paths: ['parts'] });
    // The reason of a case is made of texts: without them, even its length is not known.
    const withoutLengths = (value: unknown) =>
      JSON.stringify(comparable(value)).replaceAll(/recorded: \d+/g, 'recorded');
    expect(JSON.parse(withoutLengths(merged.run))).toEqual(JSON.parse(withoutLengths(one.run)));
    expect(await readFile(project.path('parts/salvo-part-1-of-2.jsonl'), 'utf8')).not.toContain('why?');
  });

  test('that spent its share of the budget leaves an incomplete part, and the merged run has the reason', async () => {
    const priced =
      'adapter: scripted\nmodel: gpt-4o-mini\nscript: [{ content: hi, usage: { input_tokens: 9, output_tokens: 9 } }]';
    await using project = await projectFixture({
      's.yaml': `prompt: hi\n${priced}\nassertions: [{ type: output_contains, value: hi }]\n`,
    });
    const run = { cwd: project.root, env: {}, files: ['s.yaml'], trials: 20, concurrency: 1, budgetUsd: 0.00005 };
    for (const index of [1, 2]) {
      await using shard = await runShard({ ...run, shard: { index, count: 2 }, out: 'parts' });
      expect(shard.isComplete).toBe(false);
    }
    await using merged = await mergeParts({ cwd: project.root, env: {}, paths: ['parts'] });
    const scenario = merged.run.scenarios[0]?.summary;
    expect(merged.outcome).toMatchObject({ verdict: 'UNSCORED', exitCode: 3 });
    expect(scenario).toMatchObject({ trials_planned: 20, stopped: 'budget' });
    // Both shards together, each at most one request beyond its share.
    expect(scenario?.cost_total_usd).toBeLessThanOrEqual(0.00005 + 2 * 0.00000675);
  });

  test('cannot stop early, because it does not see the other trials', async () => {
    const shard = { index: 1, count: 2 };
    await expect(runShard({ cwd: whole.root, shard, out: 'parts', earlyStop: true })).rejects.toThrow(
      '`earlyStop` needs all trials',
    );
  });
});

describe('a file that is no part', () => {
  const merge = (file: string) => mergeParts({ cwd: divided.root, env: {}, paths: [file] });
  const changed = async (change: (lines: string[]) => string) => {
    const lines = (await readFile(part(1), 'utf8')).split('\n');
    const file = divided.path('broken.jsonl');
    await writeFile(file, change(lines));
    return file;
  };

  test.each<[string, (lines: string[]) => string, string]>([
    ['empty', () => '', 'is incomplete: it has no end'],
    ['cut off between lines', (lines) => `${lines.slice(0, 3).join('\n')}\n`, 'is incomplete: it has no end'],
    ['cut off in a line', (lines) => lines.join('\n').slice(0, -20), 'is incomplete: it has no end'],
    ['no JSON', () => 'hello\n', 'broken.jsonl:1 is no part of a run: it is no JSON'],
    ['nested deeply', () => `${'['.repeat(100_000)}\n`, 'nested too deeply'],
    ['of another kind', () => '{"salvo_part":"two"}\n', 'salvo_part'],
    [
      'of a newer version',
      () => '{"salvo_part":2}\n',
      'broken.jsonl was written by a newer Salvo (version 2); this one reads up to 1: update Salvo.',
    ],
    ['not text', () => `${String.fromCharCode(0)}\n`, 'it is no JSON'],
    [
      'with a changed result',
      (lines) => lines.join('\n').replaceAll('"failed"', '"passed"'),
      'does not match its checksum',
    ],
    ['with a trial twice', ([a = '', b = '', ...rest]) => [a, b, b, ...rest].join('\n'), 'is there twice'],
    [
      'of another shard',
      (lines) => lines.join('\n').replaceAll('"index":1,', '"index":2,'),
      'does not belong to this shard',
    ],
    ['with two shards', (lines) => lines.join('\n').replace('"index":1,', '"index":2,'), 'is another shard'],
    ['that goes on', (lines) => `${lines.join('\n')}{}\n`, 'behind the end of the part'],
    [
      'with a foreign trace',
      (lines) => lines.join('\n').replaceAll('"turn_count":1', '"turn_count":7'),
      'the trace is that of another trial',
    ],
    ['with a wrong type', (lines) => lines.join('\n').replace('"threshold":null', '"threshold":"x"'), 'threshold'],
  ])('%s is refused, and nothing is stored', async (_, change, message) => {
    const before = (await listRuns({ cwd: divided.root, env: {} })).length;
    await expect(merge(await changed(change))).rejects.toThrow(message);
    expect(await listRuns({ cwd: divided.root, env: {} })).toHaveLength(before);
  });

  test('and a folder without parts are results that are missing, not a wrong input', async () => {
    await mkdir(divided.path('empty'), { recursive: true });
    await expect(merge('empty')).rejects.toMatchObject({ code: 'PARTS_MISSING', outcome: 'unscored' });
    await expect(merge('nowhere')).rejects.toMatchObject({ code: 'FILE_UNREADABLE', outcome: 'wrong_input' });
  });
});
