import { cp, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/pairwise', import.meta.url));

let project: ProjectFixture;
let cwd: string;
const runIds: string[] = [];

beforeAll(async () => {
  project = await projectFixture();
  cwd = project.root;
  await cp(EXAMPLE, cwd, { recursive: true, filter: (source) => !source.includes('.salvo') });
  for (const seed of ['1', '5']) {
    const run = documentOf(await runCli(['run', '-n', '2', '--seed', seed, '--json', '-q'], { cwd }));
    runIds.push(run.run_id);
  }
  return () => project[Symbol.asyncDispose]();
});

describe('the example of pairwise judging', () => {
  test('compares each answer with the reference of its row, and every report has the same figures', async () => {
    const report = documentOf(await runCli(['report', 'latest', '--json'], { cwd }));
    const [scenario] = report.scenarios;
    const outcomes = (scenario?.trials ?? []).map(({ eval_results: [result] }) => result);
    const pairwise = scenario?.judges[0]?.pairwise;
    const scores = outcomes.map((outcome) => outcome?.score ?? 0);
    expect(pairwise?.win_rate).toBeCloseTo(scores.reduce((sum, score) => sum + score, 0) / 8);
    expect(pairwise).toMatchObject({
      trials: 8,
      changed_rate: expect.any(Number),
      win_rate_ci: [expect.any(Number), expect.any(Number)],
    });
    const [first] = outcomes;
    expect(first?.metadata.pairwise).toMatchObject({
      against: { kind: 'reference' },
      votes: [{ judge_model: 'word-pairs' }],
    });
    const { stdout } = await runCli(['report', 'latest', '--markdown', 'out.md', '--junit', 'out.xml'], { cwd });
    const rate = `win rate ${Math.round((pairwise?.win_rate ?? 0) * 100)}%`;
    expect(await readFile(project.path('out.md'), 'utf8')).toContain(rate);
    expect(stdout).toContain(rate);
  });

  test('stored answers are compared with those of an earlier run, which is kept by its id', async () => {
    const { stdout } = await runCli(['reeval', runIds[1] ?? '', '--scenario', 'again/replies.yaml', '--json', '-q'], {
      cwd,
    });
    const { run_id } = JSON.parse(stdout);
    const report = documentOf(await runCli(['report', run_id, '--json'], { cwd }));
    const outcomes = report.scenarios[0]?.trials.map(({ trial_number, eval_results: [result] }) => ({
      trial_number,
      against: (result?.metadata.pairwise as { against: object } | undefined)?.against,
    }));
    expect(outcomes).toHaveLength(8);
    for (const { trial_number, against } of outcomes ?? []) {
      expect(against).toMatchObject({ kind: 'run', run_id: runIds[0], trial_number });
    }
  });

  test('ranks runs, and says no more than its intervals', async () => {
    const { stdout, code } = await runCli(['rank', ...runIds, '--json', '-q'], { cwd });
    const ranking = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(ranking).toMatchObject({ comparisons: 8, cases: 4, not_judged: 0, unscored: 0 });
    expect(ranking.sentences[0]).toContain('not shown to be preferred');
    const [best, other] = ranking.candidates;
    expect(best.strength).toBeGreaterThanOrEqual(other.strength);
  });

  test('compares its judge with people', async () => {
    const { stdout, code } = await runCli(['calibrate', 'preferences.jsonl', '--json', '-q'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'agrees', pairs: 24, cases: 12, exit_code: 0 });
    expect(code).toBe(0);
  });
});

describe('another run', () => {
  test('that lacks a case leaves its trials unscored, with that reason', async () => {
    const scenario = (await readFile(project.path('again/replies.yaml'), 'utf8'))
      .replace('latest~1', runIds[0] ?? '')
      .replace('{ name: late,', '{ name: new case,');
    await writeFile(project.path('other.yaml'), scenario.replace(/script: .*/, 'script: [{ content: "We will." }]'));
    const run = documentOf(await runCli(['run', 'other.yaml', '-n', '1', '--json', '-q'], { cwd }));
    const [first, second] = run.scenarios[0]?.trials ?? [];
    expect(first).toMatchObject({ case: 'new case', status: 'unscored' });
    expect(first?.eval_results[0]?.details).toContain(`run ${runIds[0]} has no trial of this case`);
    expect(second?.status).not.toBe('unscored');
  });

  test('that does not exist is refused before anything runs', async () => {
    const scenario = (await readFile(project.path('again/replies.yaml'), 'utf8')).replace('latest~1', 'nosuchrun');
    await writeFile(project.path('unknown.yaml'), scenario);
    const { code, stderr } = await runCli(['run', 'unknown.yaml', '-n', '1', '-q'], { cwd });
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('There is no run "nosuchrun"') });
  });

  test('is no baseline file, and keys of scores are not for pairs', async () => {
    const judge = '{ type: judge, against: base.json, threshold: 0.5, turn: any, when_too_long: parts }';
    await writeFile(
      project.path('bad.yaml'),
      `prompt: hi\nscript: [{content: x}]\nassertions:\n  - ${judge}\n  - { type: judge, against: reference }\n`,
    );
    const { code, stdout } = await runCli(['validate', 'bad.yaml'], { cwd });
    expect(code).toBe(4);
    expect(stdout).toContain('a baseline file has no conversations');
    expect(stdout).toContain('"reference" is missing');
    expect(stdout.match(/\[conflicting-keys\]/g)).toHaveLength(3);
  });
});
