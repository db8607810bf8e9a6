import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { runCli, storeOf } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

const SALVO_YAML = JSON.stringify({
  default_model: 'gpt-4o-mini',
  judge: { adapter: 'the-judge', model: 'gpt-4o-mini', k: 3 },
  adapters: {
    'the-judge': {
      type: 'scripted',
      script: [
        {
          tool_calls: [{ name: 'score_criteria', arguments: { polite: { score: 1, reasoning: 'Polite.' } } }],
          usage: { input_tokens: 900, output_tokens: 60 },
        },
      ],
    },
  },
});
const assertions = [{ type: 'judge', criteria: [{ name: 'polite', description: 'Is polite.' }] }];

const judgedProject = () => projectFixture({ 'salvo.yaml': SALVO_YAML, 's.yaml': sampleScenario({ assertions }) });

describe('run --estimate', () => {
  test('before the first run gives the number of calls, at most with a repair of each, and leaves nothing behind', async () => {
    await using project = await judgedProject();
    const { code, stdout, stderr } = await runCli(['run', 's.yaml', '-n', '4', '--estimate', '--json'], {
      cwd: project.root,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      agent_runs: 4,
      agent_cost_usd: null,
      judge_calls: { fewest: 12, most: 24 },
      scenarios: [{ name: 'sample', traces: 0 }],
    });
    expect(existsSync(project.path('.salvo'))).toBe(false);
  });

  test('takes the cost of the agent from what its trials have cost before', async () => {
    await using project = await judgedProject();
    const cwd = project.root;
    await runCli(['run', 's.yaml', '-n', '2'], { cwd });
    const { stdout } = await runCli(['run', 's.yaml', '-n', '10', '--estimate', '--json'], { cwd });
    const estimate = JSON.parse(stdout);
    // 100 tokens in and 10 out a trial, at the list price.
    expect(estimate.agent_cost_usd).toBeCloseTo((10 * (100 * 0.15 + 10 * 0.6)) / 1e6, 9);
    expect(estimate.judge_cost_usd.most).toBeGreaterThan(estimate.judge_cost_usd.typical);
    await using store = await storeOf(project);
    expect(await store.listRuns()).toHaveLength(1);
  });

  test('on another model prices the same tokens at that model', async () => {
    await using project = await judgedProject();
    const cwd = project.root;
    await runCli(['run', 's.yaml', '-n', '1'], { cwd });
    const { stdout } = await runCli(['run', 's.yaml', '--model', 'gpt-4o', '-n', '1', '--estimate', '--json'], { cwd });
    expect(JSON.parse(stdout).agent_cost_usd).toBeCloseTo((100 * 2.5 + 10 * 10) / 1e6, 9);
  });

  test('needs no key, because nothing is called', async () => {
    await using project = await projectFixture({
      's.yaml': sampleScenario({ adapter: 'openai', model: 'gpt-4o-mini', assertions, script: undefined }),
    });
    const { code, stdout } = await runCli(['run', 's.yaml', '--estimate'], { cwd: project.root });
    expect(code).toBe(0);
    expect(stdout).toContain('9–18 judge calls: about $');
    expect(stdout).toContain('Nothing was called and nothing was stored.');
  });

  test('has no judges when nothing is to be checked', async () => {
    await using project = await judgedProject();
    const args = ['run', 's.yaml', '--record-only', '--estimate', '--json'];
    const { stdout } = await runCli(args, { cwd: project.root });
    expect(JSON.parse(stdout).judge_calls.most).toBe(0);
  });

  test('cannot be combined with --resume', async () => {
    await using project = await judgedProject();
    const { code, stderr } = await runCli(['run', '--estimate', '--resume', 'latest'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stderr).toContain('--resume');
  });
});

describe('reeval --estimate', () => {
  test('counts the votes on the stored traces, and stores no run', async () => {
    await using project = await judgedProject();
    const cwd = project.root;
    await runCli(['run', 's.yaml', '-n', '5'], { cwd });
    const { code, stdout } = await runCli(['reeval', '--estimate', '--json'], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ agent_runs: 0, judge_calls: { fewest: 15, most: 30 }, cached_votes: 0 });
    await using store = await storeOf(project);
    expect(await store.listRuns()).toHaveLength(1);
  });

  test('of one trace counts its votes only', async () => {
    await using project = await judgedProject();
    const cwd = project.root;
    const run = await runCli(['run', 's.yaml', '-n', '2', '--json'], { cwd });
    const traceId = JSON.parse(run.stdout).scenarios[0].trials[0].trace_id;
    const { stdout } = await runCli(['reeval', traceId, '--estimate', '--json'], { cwd });
    expect(JSON.parse(stdout).judge_calls.most).toBe(6);
  });
});
