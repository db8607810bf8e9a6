import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { documentOf, runProgram } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import { projectFixture } from '../project-fixture.ts';

/** A provider that charges what the test says: $0.001 for a thousand tokens. `costOf` is given the number of the call. */
async function startTill(options: {
  costOf: (call: number) => number;
  /** What the model says; null: there is never an answer. */
  answer?: (body: unknown) => Record<string, unknown> | null;
  /** Whether the connection of a call breaks after it was billed. */
  breaks?: (call: number) => boolean;
}) {
  const { costOf, answer = () => ({ content: 'Done.' }), breaks = () => false } = options;
  const bill: number[] = [];
  const server = await startAnsweringServer(async ({ body }) => {
    const call = bill.length;
    const cost = costOf(call);
    bill.push(cost);
    if (breaks(call)) throw new Error('The connection breaks.');
    await sleep(5);
    const message = answer(body);
    if (message === null) return 'hang';
    const usage = { prompt_tokens: Math.round(cost * 1e6), completion_tokens: 0 };
    return completion({ message, usage });
  });
  return {
    url: `${server.url}/v1`,
    calls: () => bill.length,
    billed: () => bill.reduce((sum, cost) => sum + cost, 0),
    mostExpensive: () => Math.max(0, ...bill),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const PRICE = { input_per_million: 1, output_per_million: 1 };
const CRITERIA = [{ name: 'correct', description: 'Is it right?' }];

interface TillProject {
  /** How long an answer may take: short only where none comes. */
  timeout_seconds?: number;
  config?: Record<string, unknown>;
  files?: Record<string, string>;
}

function projectOn(url: string, { timeout_seconds = 30, ...more }: TillProject = {}) {
  return projectFixture({
    'salvo.yaml': JSON.stringify({
      adapters: { till: { type: 'openai', base_url: url, timeout_seconds } },
      prices: { till: PRICE },
      judge: { adapter: 'till', model: 'till', k: 21 },
      default_adapter: 'till',
      concurrency: 50,
      ...more.config,
    }),
    'agent.yaml': sampleScenario({ adapter: 'till', model: 'till', script: undefined }),
    'judged.yaml': sampleScenario({ assertions: [{ type: 'judge', id: 'right', criteria: CRITERIA }] }),
    'rubric.yaml': JSON.stringify(CRITERIA),
    'labels.jsonl': Array.from({ length: 30 }, (_, index) =>
      JSON.stringify({ task: 'Say it.', response: `answer ${index}`, passed: index % 2 === 0 }),
    ).join('\n'),
    ...more.files,
  });
}

const env = { OPENAI_API_KEY: 'unused-key' };
const vote = () => ({ content: JSON.stringify({ correct: { reasoning: 'It is.', score: 1 } }) });

describe('no more than one call above the cap, on the bill of the provider', () => {
  test.each([
    ['the first 3 calls cost $0.002, later ones $0.101', 0.2, (call: number) => (call < 3 ? 0.002 : 0.101)],
    ['the first call costs $0.002, later ones $0.101', 1, (call: number) => (call < 1 ? 0.002 : 0.101)],
    ['every call costs $0.002', 0.1, () => 0.002],
    ['from $0.002 to $0.2, in turn', 0.5, (call: number) => 0.002 * (1 + ((call * 37) % 100))],
  ])('run: %s', async (_, cap, costOf) => {
    await using till = await startTill({ costOf });
    await using project = await projectOn(till.url);
    const args = ['run', 'agent.yaml', '-n', '200', '-c', '50', '--budget-usd', String(cap), '--json'];
    const run = await runProgram(args, { cwd: project.root, env });
    expect(till.billed()).toBeLessThanOrEqual(cap + till.mostExpensive() + 1e-9);
    expect(till.billed()).toBeGreaterThan(cap / 2);
    expect(documentOf(run).scenarios).toMatchObject([{ stopped: 'budget' }]);
    expect(documentOf(run).scenarios[0]?.cost_total_usd).toBeCloseTo(till.billed(), 6);
  });

  test('run: 21 votes of $0.03 on each trial, readable and not', async () => {
    for (const answer of [vote, () => ({ content: 'I would rather not.' })]) {
      await using till = await startTill({ costOf: () => 0.03, answer });
      await using project = await projectOn(till.url);
      const args = ['run', 'judged.yaml', '-n', '5', '--budget-usd', '0.1', '--json'];
      const run = await runProgram(args, { cwd: project.root, env });
      expect(run.code).toBe(3);
      expect(till.billed()).toBeLessThanOrEqual(0.13 + 1e-9);
    }
  });

  test('run: no answer ever comes, and the cost is unknown, not $0', async () => {
    await using till = await startTill({ costOf: () => 0.002, answer: () => null });
    await using project = await projectOn(till.url, {
      timeout_seconds: 0.3,
      files: { 'agent.yaml': sampleScenario({ adapter: 'till', model: 'till', script: undefined, max_tokens: 1500 }) },
    });
    const args = ['run', 'agent.yaml', '-n', '20', '--retries', '1', '--budget-usd', '0.003'];
    const run = await runProgram(args, { cwd: project.root, env });
    expect(run.code).toBe(3);
    expect(till.billed()).toBeLessThanOrEqual(0.005 + 1e-9);
    expect(run.stdout).toContain('cost unknown');
    expect(run.stdout).not.toMatch(/\$0\.00(?!\d)/);
    // The first trial got no answer. The others were not started.
    expect(run.stdout).toContain('1 of 20 planned trials ran');
    expect(run.stdout.replaceAll(/\s+/g, ' ')).toContain('held back for');
  });

  test('experiment: a Blue whose answers cannot be read was paid for', async () => {
    await using till = await startTill({ costOf: () => 0.002, answer: () => ({ content: 'I see nothing.' }) });
    await using project = await projectOn(till.url, {
      files: {
        'plan.yaml': JSON.stringify({ name: 'p', tasks: { sample: 40 }, red: ['mutation'], blue: ['llm:till/till'] }),
      },
    });
    const args = ['experiment', 'plan.yaml', '--budget-usd', '0.02', '--json'];
    const run = await runProgram(args, { cwd: project.root, env });
    expect(till.billed()).toBeLessThanOrEqual(0.022 + 1e-9);
    expect(till.calls()).toBeGreaterThan(5);
    expect(run.stdout).toContain('could exceed the budget of $0.02');
  });

  test('calibrate, judge-check and reeval keep budget_usd of salvo.yaml', async () => {
    await using till = await startTill({ costOf: () => 0.03, answer: vote });
    await using project = await projectOn(till.url, { config: { budget_usd: 0.5 } });
    const cwd = project.root;
    await runProgram(['run', 'judged.yaml', '-n', '10', '--record-only'], { cwd, env });
    expect(till.calls()).toBe(0);
    for (const args of [
      ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml'],
      ['judge-check', '--rubric', 'rubric.yaml'],
      ['reeval', 'latest'],
    ]) {
      const before = till.billed();
      const run = await runProgram([...args, '--no-judge-cache'], { cwd, env });
      expect(till.billed() - before).toBeLessThanOrEqual(0.53 + 1e-9);
      expect(till.billed() - before).toBeGreaterThan(0.2);
      expect(`${run.stdout}${run.stderr}`.replaceAll(/\s+/g, ' ')).toContain('could exceed the budget of $0.5');
    }
  });

  test('score --llm and game keep --budget-usd', async () => {
    const same = () => ({ content: JSON.stringify({ same_flaw: { reasoning: 'It is.', score: 1 } }) });
    await using till = await startTill({ costOf: () => 0.03, answer: same });
    const resources = Array.from({ length: 12 }, (_, index) => `aws_s3_bucket.b${index}`);
    await using project = await projectOn(till.url, {
      files: {
        'red.json': JSON.stringify({
          vulnerabilities: resources.map((resource, index) => {
            return { id: `V${index}`, type: 'encryption', severity: 'high', resource, title: 'Not encrypted' };
          }),
        }),
        'blue.json': JSON.stringify(
          resources.map((resource) => ({ type: 'storage', severity: 'low', resource, title: 'Public bucket' })),
        ),
      },
    });
    const files = ['--red', 'red.json', '--blue', 'blue.json', '--matcher', 'documented'];
    const score = await runProgram(['score', ...files, '--llm', 'till', '-k', '21', '--budget-usd', '0.1'], {
      cwd: project.root,
      env,
    });
    expect(till.calls()).toBeGreaterThan(0);
    expect(till.billed()).toBeLessThanOrEqual(0.13 + 1e-9);
    expect(score.code).toBe(3);
    const before = till.billed();
    const args = ['game', '--blue', 'llm:till/till', '--combine', 'vote', '--budget-usd', '0.05', '--seed', '1'];
    const game = await runProgram(args, { cwd: project.root, env });
    expect(game.code).toBe(3);
    expect(till.billed() - before).toBeLessThanOrEqual(0.08 + 1e-9);
    expect(game.stdout.replaceAll(/\s+/g, ' ')).toContain('could exceed the budget of $0.05');
  });
});

test('a small budget leaves some trials of each scenario', async () => {
  await using till = await startTill({ costOf: () => 0.01 });
  const scenario = (name: string) => sampleScenario({ name, adapter: 'till', model: 'till', script: undefined });
  await using project = await projectOn(till.url, {
    files: { 'agent.yaml': scenario('a'), 'b.yaml': scenario('b'), 'c.yaml': scenario('c') },
  });
  const args = ['run', 'agent.yaml', 'b.yaml', 'c.yaml', '-n', '20', '--budget-usd', '0.09', '--json'];
  const { scenarios } = documentOf(await runProgram(args, { cwd: project.root, env }));
  expect(scenarios.map(({ trials_total }) => trials_total)).toEqual([3, 3, 3]);
});

describe('broken connections leave the cost a lower bound, with the number of calls that may have been billed', () => {
  test('run: in the terminal, the documents and the history alike', async () => {
    const isBroken = (call: number) => [5, 17, 18, 30].includes(call);
    await using till = await startTill({ costOf: () => 0.01, breaks: isBroken });
    await using project = await projectOn(till.url);
    const cwd = project.root;
    const files = ['--markdown', 'run.md', '--junit', 'run.xml'];
    const run = await runProgram(['run', 'agent.yaml', '-n', '40', ...files], { cwd, env });
    expect(run.code).toBe(0);
    expect(till.calls()).toBe(44);
    expect(run.stdout).toContain('at least $0.400; 4 calls unknown');
    const report = await runProgram(['report', '--json'], { cwd, env });
    const [scenario] = documentOf(report).scenarios;
    const usd: number = expect.closeTo(0.4, 9);
    expect(scenario).toMatchObject({ cost_total_usd: null, cost_at_least: { usd, calls_unknown: 4 } });
    const unknown = scenario?.trials.flatMap(({ cost_at_least }) => cost_at_least?.calls_unknown ?? []);
    expect(unknown?.reduce((sum, calls) => sum + calls, 0)).toBe(4);
    expect(await readFile(join(project.root, 'run.md'), 'utf8')).toContain('at least $0.400; 4 calls unknown');
    const xml = await readFile(join(project.root, 'run.xml'), 'utf8');
    expect(xml).toContain('<property name="cost_total_usd" value="unknown"/>');
    expect(xml).toContain('<property name="cost_calls_unknown" value="4"/>');
    expect(xml).toMatch(/<property name="cost_at_least_usd" value="0\.4/);
    const history = await runProgram(['report', '--history'], { cwd, env });
    expect(history.stdout).toContain('at least $0.400');
  });

  test('judges of a run, and a calibration', async () => {
    await using till = await startTill({ costOf: () => 0.01, answer: vote, breaks: (call) => call % 63 === 40 });
    await using project = await projectOn(till.url);
    const cwd = project.root;
    const run = await runProgram(['run', 'judged.yaml', '-n', '3', '--json', '--no-judge-cache'], { cwd, env });
    const usd: number = expect.closeTo(0.63, 9);
    expect(documentOf(run).scenarios).toMatchObject([
      { cost_total_usd: 0, judge_cost_usd: null, judge_cost_at_least: { usd, calls_unknown: 1 } },
    ]);
    const report = await runProgram(['report'], { cwd, env });
    expect(report.stdout).toContain('judges at least $0.630; 1 call unknown');
    const calibrate = ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--no-judge-cache'];
    const calibrated = await runProgram(calibrate, { cwd, env });
    expect(calibrated.stdout.replaceAll(/\s+/g, ' ')).toMatch(/Cost at least \$6\.30; \d+ calls unknown\./);
  });
});
