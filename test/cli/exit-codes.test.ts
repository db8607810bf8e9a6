import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { done, sampleScenario } from './sample-scenario.ts';

const saysOther = { type: 'output_contains', id: 'says-other', value: 'other' };

async function runScenario(changes: Record<string, unknown>, ...args: string[]) {
  await using project = await projectFixture({ 's.yaml': sampleScenario(changes) });
  const { code, stdout, stderr } = await runCli(['run', 's.yaml', '--json', '-n', '2', ...args], { cwd: project.root });
  expect(stderr).not.toMatch(/^\s+at /m);
  return { code, ...documentOf({ stdout }) };
}

describe('the exit code of a run', () => {
  test.each([
    ['0 when it passed', {}, 0, 'PASS'],
    ['1 when the agent failed', { script: [done('No.')] }, 1, 'FAIL'],
    ['1 when it passed too seldom', { script: variants(1, 1), threshold: 1 }, 1, 'PARTIAL'],
    ['2 when a required assertion failed', { assertions: [{ ...saysOther, required: true }] }, 2, 'HARD_FAIL'],
    ['3 when the provider is dead', { script: [{ error: { status: 500, message: 'down' } }] }, 3, 'UNSCORED'],
    ['3 when the key is refused', { script: [{ error: { status: 401, message: 'no key' } }] }, 3, 'UNSCORED'],
    ['3 when nothing was checked', { assertions: [] }, 3, 'UNSCORED'],
  ])('is %s', async (_, changes, code, verdict) => {
    const run = await runScenario(changes, '--retries', '0', '--seed', '3', '-n', '8');
    expect(run).toMatchObject({ code, exit_code: code, verdict });
  });

  test('is the exit code of the worst scenario', async () => {
    await using project = await projectFixture({
      'a.yaml': sampleScenario({ name: 'a' }),
      'b.yaml': sampleScenario({ name: 'b', assertions: [{ ...saysOther, required: true }] }),
      'c.yaml': sampleScenario({ name: 'c', script: [done('No.')] }),
    });
    const { code, stdout } = await runCli(['run', '.', '--json', '-n', '1'], { cwd: project.root });
    expect(code).toBe(2);
    expect(documentOf({ stdout }).scenarios.map(({ verdict }) => verdict)).toEqual(['PASS', 'HARD_FAIL', 'FAIL']);
  });
});

describe('what could not be scored', () => {
  const deadForSome = {
    assertions: [{ ...saysOther, value: 'Done', required: true }],
    script: {
      variants: [
        { weight: 1, turns: [done()] },
        { weight: 1, turns: [done('No.')] },
        { weight: 1, turns: [{ error: { status: 401, message: 'no key' } }] },
      ],
    },
  };

  test('outweighs even a hard fail, unless the run allows it', async () => {
    const args = ['-n', '12', '--seed', '1', '--retries', '0'];
    const strict = await runScenario(deadForSome, ...args);
    expect(strict).toMatchObject({ code: 3, verdict: 'UNSCORED' });
    const statuses = new Set(strict.scenarios[0]?.trials.map(({ status }) => status));
    expect(statuses).toEqual(new Set(['passed', 'hard_fail', 'unscored']));
    expect(await runScenario(deadForSome, ...args, '--allow-unscored')).toMatchObject({
      code: 2,
      verdict: 'HARD_FAIL',
    });
  });

  test('stays unscored when nothing at all could be scored', async () => {
    const dead = { script: [{ error: { status: 401, message: 'no key' } }] };
    expect(await runScenario(dead, '--allow-unscored')).toMatchObject({ code: 3, verdict: 'UNSCORED' });
  });
});

describe('min_pass_rate and min_score', () => {
  const half = { threshold: 0.1, script: variants(1, 1) };
  const args = ['-n', '10', '--seed', '3'];

  test('half of the trials passed is no PASS, whatever the mean score is', async () => {
    expect(await runScenario(half, ...args)).toMatchObject({ code: 1, verdict: 'PARTIAL' });
  });

  test('the flag comes before the scenario, the scenario before salvo.yaml, and 100% at last', async () => {
    await using project = await projectFixture({
      'salvo.yaml': 'defaults: { min_pass_rate: 10% }\n',
      'own.yaml': sampleScenario({ ...half, min_pass_rate: '90%' }),
      'none.yaml': sampleScenario(half),
    });
    const gate = async (file: string, ...flags: string[]) => {
      const run = await runCli(['run', file, ...args, '--json', ...flags], { cwd: project.root });
      const [scenario] = documentOf(run).scenarios;
      return [run.code, scenario?.verdict, scenario?.min_pass_rate, scenario?.decided_by];
    };
    expect(await gate('own.yaml')).toEqual([1, 'PARTIAL', 0.9, 'min_pass_rate']);
    expect(await gate('none.yaml')).toEqual([0, 'PASS', 0.1, 'min_pass_rate']);
    expect(await gate('own.yaml', '--min-pass-rate', '20%')).toEqual([0, 'PASS', 0.2, 'min_pass_rate']);
    await project.write('salvo.yaml', '');
    expect(await gate('none.yaml')).toEqual([1, 'PARTIAL', 1, 'min_pass_rate']);
  });

  test('the mean score is a gate of its own', async () => {
    const lenient = { ...half, min_pass_rate: 0, min_score: '95%' };
    expect(await runScenario(lenient, ...args)).toMatchObject({ code: 1, verdict: 'PARTIAL' });
    expect(await runScenario(lenient, ...args, '--min-score', '0.1')).toMatchObject({ code: 0, verdict: 'PASS' });
    expect(await runScenario({ min_score: 1 })).toMatchObject({ code: 0, verdict: 'PASS' });
  });

  test('a gate can fail a run in which every trial passed, and be unknown in one with too few', async () => {
    const pricey = { max_latency_seconds: { p95: 100 }, max_cost_usd: 0, min_pass_at_k: { k: 2, rate: '50%' } };
    const failed = await runScenario({ ...half, min_pass_rate: 0, min_pass_hat_k: [{ k: 3, rate: '99%' }] }, ...args);
    expect(failed).toMatchObject({ code: 1, scenarios: [{ decided_by: 'min_pass_hat_k', verdict: 'PARTIAL' }] });
    const [scenario] = failed.scenarios;
    expect(scenario?.gates[1]).toMatchObject({ gate: 'min_pass_hat_k', of: '3', limit: 0.99, met: false });
    expect(scenario?.gates[1]?.value).toBe(scenario?.pass_hat_k['3']);
    expect(await runScenario(pricey)).toMatchObject({ code: 0, scenarios: [{ gates: [{}, {}, {}, {}] }] });
    expect(await runScenario({ min_pass_hat_k: { k: 5, rate: 0.5 } })).toMatchObject({
      code: 3,
      verdict: 'UNSCORED',
      scenarios: [{ decided_by: 'unknown_gate', gates: [{}, { met: null, unknown: 'too_few_trials' }] }],
    });
  });

  test('a stored run keeps what it was judged by; resume and reeval use it unless told otherwise', async () => {
    const scenario = { ...half, min_pass_rate: '90%' };
    await using project = await projectFixture({
      'salvo.yaml': 'defaults: { min_score: 5% }\n',
      's.yaml': sampleScenario(scenario),
    });
    const run = async (...command: string[]) =>
      JSON.parse((await runCli([...command, '--json'], { cwd: project.root })).stdout);
    await run('run', 's.yaml', ...args);
    await project.write('salvo.yaml', 'defaults: { min_score: 99% }\n');
    const before = { min_pass_rate: 0.9, min_score: 0.05, decided_by: 'min_pass_rate', verdict: 'PARTIAL' };
    expect(await run('report')).toMatchObject({ exit_code: 1, scenarios: [before] });
    expect(await run('run', '--resume', 'latest')).toMatchObject({ exit_code: 1, scenarios: [before] });
    expect(await run('run', '--resume', 'latest', '--min-pass-rate', '10%')).toMatchObject({
      exit_code: 0,
      scenarios: [{ min_pass_rate: 0.1, min_score: 0.05, verdict: 'PASS' }],
    });
    expect(await run('report')).toMatchObject({ exit_code: 0, scenarios: [{ min_pass_rate: 0.1 }] });
    // A reevaluation uses the files of today, but keeps the flags of the run.
    expect(await run('reeval')).toMatchObject({
      exit_code: 1,
      scenarios: [
        {
          before: { min_pass_rate: 0.1, min_score: 0.05, verdict: 'PASS' },
          after: { min_pass_rate: 0.1, min_score: 0.99, decided_by: 'min_score', verdict: 'PARTIAL' },
        },
      ],
    });
  });

  test('a run is not resumed with another minimum in its scenario file', async () => {
    await using project = await projectFixture({ 's.yaml': sampleScenario({ ...half, min_pass_rate: '90%' }) });
    await runCli(['run', 's.yaml', ...args], { cwd: project.root });
    await project.write('s.yaml', sampleScenario({ ...half, min_pass_rate: '10%' }));
    const resumed = await runCli(['run', '--resume', 'latest'], { cwd: project.root });
    expect([resumed.code, resumed.stderr]).toEqual([4, expect.stringContaining('has changed since')]);
  });
});

test('--record-only stores traces and exits with 0; reeval scores them later', async () => {
  await using project = await projectFixture({ 's.yaml': sampleScenario({ assertions: [saysOther] }) });
  const recorded = await runCli(['run', 's.yaml', '--record-only', '--json'], { cwd: project.root });
  expect(recorded.code).toBe(0);
  expect(documentOf(recorded)).toMatchObject({
    verdict: 'RECORDED',
    scenarios: [{ trials_total: 3, pass_rate: null }],
  });
  expect(documentOf(recorded).scenarios[0]?.trials.every(({ trace_id }) => trace_id !== null)).toBe(true);
  const judged = await runCli(['reeval', '--json'], { cwd: project.root });
  expect(judged.code).toBe(1);
  expect(JSON.parse(judged.stdout)).toMatchObject({ verdict: 'FAIL', scenarios: [{ after: { trials_failed: 3 } }] });
});

describe('wrong input', () => {
  test.each([
    [['run', 'bad.yaml'], 'bad.yaml:3:1'],
    [['run', 'missing.yaml'], 'missing.yaml'],
    [['run', 's.yml'], 'Did you mean s.yaml?'],
    [['run', 'never-fails.yaml'], 'there is no "respnse"'],
    [['run', 's.yaml', '--no-such-flag'], '--no-such-flag'],
    [['rnu', 's.yaml'], 'Did you mean run?'],
    [['run', 's.yaml', '-n', '0'], 'whole number'],
    [['run', 's.yaml', '--tag', 'nobody'], 'nobody'],
    [['run', 'unknown-adapter.yaml'], 'unknown-adapter.yaml:1:'],
    [['run', 'no-model.yaml'], 'no model for the adapter'],
    [['validate', 'bad.yaml'], 'bad.yaml:3:1'],
  ])('%j exits with 4, says what is wrong and leaves nothing behind', async (args, words) => {
    await using project = await projectFixture({
      's.yaml': sampleScenario(),
      'bad.yaml': 'name: bad\nprompt: Hi\nprompts: Ho\n',
      'never-fails.yaml': sampleScenario({ assertions: [{ path: 'respnse.content', ne: 'secret' }] }),
      'unknown-adapter.yaml': sampleScenario({ adapter: 'opneai' }),
      'no-model.yaml': sampleScenario({ adapter: 'openai', script: undefined }),
    });
    const { code, stdout, stderr } = await runCli(args, { cwd: project.root, env: { OPENAI_API_KEY: 'unused-key' } });
    expect(code).toBe(4);
    expect(stdout + stderr).toContain(words);
    expect(stderr).not.toMatch(/^\s+at |Internal error/m);
    expect(existsSync(project.path('.salvo'))).toBe(false);
  });

  test('an id that is not there exits with 4, whatever the command', async () => {
    await using project = await projectFixture({ 's.yaml': sampleScenario() });
    await runCli(['run', 's.yaml', '-n', '1'], { cwd: project.root });
    const commands = [['report'], ['replay'], ['reeval'], ['export'], ['run', '--resume']];
    for (const args of commands) {
      const { code, stderr } = await runCli([...args, 'zzz'], { cwd: project.root });
      expect([args, code]).toEqual([args, 4]);
      expect(stderr).toMatch(/There is no run(, scenario or trace)? "zzz"/);
    }
  });
});

function variants(passing: number, failing: number) {
  return {
    variants: [
      { weight: passing, turns: [done()] },
      { weight: failing, turns: [done('No.')] },
    ],
  };
}
