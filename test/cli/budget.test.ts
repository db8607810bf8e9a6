import { describe, expect, test } from 'vitest';
import { startLoopback } from '../loopback/loopback-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** A cent for every turn of a thousand tokens. */
const salvoYaml = 'prices: { penny: { input_per_million: 10, output_per_million: 0 } }\n';
const turn = (tokens: number, changes = {}) => ({ usage: { input_tokens: tokens, output_tokens: 0 }, ...changes });
const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' }, mock_response: 'ok' }];
const look = { tool_calls: [{ name: 'look', arguments: {} }] };

const penny = (changes = {}) =>
  sampleScenario({ model: 'penny', script: [turn(1000, { content: 'Done.', delay_ms: 20 })], ...changes });

describe('--budget-usd', () => {
  test('is never exceeded, however many trials run at once', async () => {
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': penny() });
    const args = ['run', 's.yaml', '-n', '20', '--concurrency', '8', '--budget-usd', '0.055', '--json'];
    const run = await runCli(args, { cwd: project.root });
    const [scenario] = documentOf(run).scenarios;
    expect(run.code).toBe(3);
    expect(scenario).toMatchObject({ verdict: 'UNSCORED', stopped: 'budget', trials_total: 5 });
    expect(scenario?.cost_total_usd).toBeCloseTo(0.05, 9);
  });

  test('is not exceeded by the turns of the very first conversation', async () => {
    const script = [turn(600, look), turn(600, look), turn(600, { content: 'Done.' })];
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': penny({ script, tools }) });
    const args = ['run', 's.yaml', '-n', '2', '--concurrency', '8', '--budget-usd', '0.01', '--json'];
    const [scenario] = documentOf(await runCli(args, { cwd: project.root })).scenarios;
    expect(scenario?.cost_total_usd).toBeCloseTo(0.006, 9);
    expect(scenario?.trials).toMatchObject([{ status: 'unscored', error_message: expect.stringContaining('budget') }]);
  });

  test('is not exceeded after a first trial that got no answer, and so cost nothing', async () => {
    const dead = { weight: 1, turns: [{ error: { status: 401, message: 'no key' } }] };
    const fine = { weight: 1, turns: [turn(1000, { content: 'Done.', delay_ms: 20 })] };
    const script = { variants: [dead, fine] };
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': penny({ script }) });
    for (const seed of ['1', '2', '3', '4']) {
      const limits = ['--concurrency', '8', '--budget-usd', '0.035', '--seed', seed];
      const run = await runCli(['run', 's.yaml', '-n', '20', '--json', ...limits], { cwd: project.root });
      expect(documentOf(run).scenarios[0]?.cost_total_usd).toBeCloseTo(0.03, 9);
    }
  });

  test('reports what did not run, and with --allow-unscored gives a verdict on the rest', async () => {
    await using project = await projectFixture({ 'salvo.yaml': `${salvoYaml}budget_usd: 0.02\n`, 's.yaml': penny() });
    const strict = await runCli(['run', 's.yaml', '-n', '5'], { cwd: project.root });
    expect(strict.code).toBe(3);
    expect(strict.stdout).toContain('2 of 5 planned trials ran: stopped by the budget; salvo run --resume');
    expect(strict.stdout).toContain('Stopped: another trial could exceed the budget of $0.02');
    const lenient = await runCli(['run', 's.yaml', '-n', '5', '--allow-unscored'], { cwd: project.root });
    expect(lenient.code).toBe(0);
    expect(lenient.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'PASS exit code 0: 2 of 2 trials passed; 100% must pass (min_pass_rate); 3 of 5 trials were not run (allowed as unscored)',
    );
  });

  test('counts what a resumed run has spent before', async () => {
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': penny() });
    const resume = (budget: string) =>
      runCli(['run', '--resume', 'latest', '--budget-usd', budget, '--json'], { cwd: project.root });
    await runCli(['run', 's.yaml', '-n', '5', '--budget-usd', '0.02'], { cwd: project.root });
    expect(documentOf(await resume('0.02'))).toMatchObject({ exit_code: 3, scenarios: [{ trials_total: 2 }] });
    expect(documentOf(await resume('0.04'))).toMatchObject({ exit_code: 3, scenarios: [{ trials_total: 4 }] });
    expect(documentOf(await resume('1'))).toMatchObject({ exit_code: 0, scenarios: [{ trials_total: 5 }] });
  });
});

test('a conversation that the budget cut short is repeated under a larger budget', async () => {
  const script = [turn(1000, look), turn(1000, { content: 'Done.' })];
  await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': penny({ script, tools }) });
  const cut = await runCli(['run', 's.yaml', '-n', '1', '--budget-usd', '0.015', '--json'], { cwd: project.root });
  expect(documentOf(cut)).toMatchObject({ exit_code: 3, scenarios: [{ trials_unscored: 1, cost_total_usd: 0.01 }] });
  const resumed = await runCli(['run', '--resume', 'latest', '--budget-usd', '1', '--json'], { cwd: project.root });
  expect(documentOf(resumed)).toMatchObject({ exit_code: 0, scenarios: [{ trials_passed: 1 }] });
});

describe('an unknown price under a budget', () => {
  const unpriced = { adapter: 'local', model: 'home-grown', script: undefined };

  test('is refused before anything is paid for', async () => {
    await using server = await startLoopback([]);
    await using project = await projectFixture({
      'salvo.yaml': `adapters: { local: { type: openai, base_url: "${server.url}/v1" } }`,
      's.yaml': sampleScenario(unpriced),
    });
    const { code, stderr } = await runCli(['run', 's.yaml', '--budget-usd', '1'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stderr).toContain('home-grown');
    expect(stderr).toContain('`prices:` in salvo.yaml');
    expect(server.requests).toEqual([]);
  });

  test('stops the run at the first answer when only the agent could have reported the price', async () => {
    await using project = await projectFixture({
      'agent.mjs': 'export default () => "Done."',
      's.yaml': sampleScenario({ adapter: './agent.mjs', script: undefined }),
    });
    const args = ['run', 's.yaml', '-n', '5', '--concurrency', '8', '--budget-usd', '1', '--json'];
    const run = await runCli(args, { cwd: project.root });
    expect(documentOf(run)).toMatchObject({ exit_code: 3, scenarios: [{ trials_total: 1, stopped: 'budget' }] });
  });

  test('is not the same as a reply without token counts, for which the most that it can cost is held back', async () => {
    const pricedAnswers = salvoYaml.replace('output_per_million: 0', 'output_per_million: 10');
    const usage = { prompt_tokens: 1e21, completion_tokens: 1, total_tokens: 1e21 };
    const replies = [null, null, usage, usage].map((each) => ({
      reply: completion({ content: 'Done.', usage: each }),
    }));
    await using server = await startLoopback(replies);
    await using project = await projectFixture({
      'salvo.yaml': `${pricedAnswers}adapters: { local: { type: openai, base_url: "${server.url}/v1" } }`,
      's.yaml': sampleScenario({ adapter: 'local', model: 'penny', script: undefined, max_tokens: 1000 }),
    });
    const env = { OPENAI_API_KEY: 'unused-key' };
    for (const _ of ['no usage', 'absurd usage']) {
      const run = await runCli(['run', 's.yaml', '-n', '5', '--budget-usd', '0.05'], { cwd: project.root, env });
      expect(run.code).toBe(3);
      const words = run.stdout.replaceAll(/\s+/g, ' ');
      expect(words).toMatch(
        /Stopped: another trial could exceed the budget of \$0\.05; \$0\.0\d+ is held back for 2 calls of unknown cost/,
      );
      expect(words).not.toMatch(/used up|add .* `prices`|Infinity/);
      expect(words).toContain('cost unknown');
    }
  });
});
