import { expect, test } from 'vitest';
import { documentOf, runProgram } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const price = (usd: number) => ({ input_per_million: usd, output_per_million: usd });
const CRITERIA = [{ name: 'polite', description: 'Is it polite?' }];

/** A provider that bills a thousand tokens for each call, at the price of the model that it uses. */
async function startProvider({ uses, says = 'Done.' }: { uses: string; says?: string }) {
  let calls = 0;
  const server = await startAnsweringServer(() => {
    calls += 1;
    const usage = { prompt_tokens: 1000, completion_tokens: 0 };
    return completion({ message: { content: says }, usage, model: uses });
  });
  const projectOf = (scenario: Record<string, unknown>): Promise<ProjectFixture> =>
    projectFixture({
      'salvo.yaml': JSON.stringify({
        adapters: { provider: { type: 'openai', base_url: `${server.url}/v1` } },
        prices: { cheap: price(1), dear: price(100) },
        judge: { adapter: 'provider', model: 'cheap', k: 3 },
      }),
      's.yaml': sampleScenario({ adapter: 'provider', model: 'cheap', script: undefined, ...scenario }),
    });
  return { calls: () => calls, projectOf, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const run = (project: ProjectFixture, ...args: string[]) =>
  runProgram(['run', 's.yaml', ...args], { cwd: project.root, env: { OPENAI_API_KEY: 'unused' } });

test.each([['model'], ['messages'], ['stream']])(
  'extras with "%s", which Salvo decides, are refused before anything is billed',
  async (field) => {
    await using provider = await startProvider({ uses: 'dear' });
    await using project = await provider.projectOf({ extras: { [field]: 'dear' } });
    const { code, stderr } = await run(project, '-n', '50', '--budget-usd', '0.01');
    expect([code, stderr]).toEqual([4, expect.stringContaining(`Salvo sends "${field}" itself`)]);
    expect(provider.calls()).toBe(0);
  },
);

test('a provider that uses a more expensive model is believed: the cap holds at its price, and it is named', async () => {
  await using provider = await startProvider({ uses: 'dear' });
  await using project = await provider.projectOf({});
  const result = await run(project, '-n', '40', '--concurrency', '4', '--budget-usd', '0.35', '--json');
  const [scenario] = documentOf(result).scenarios;
  expect(scenario).toMatchObject({ stopped: 'budget', answered_by: ['dear'] });
  expect(scenario?.cost_total_usd).toBeCloseTo(provider.calls() * 0.1, 6);
  expect(provider.calls() * 0.1).toBeLessThanOrEqual(0.35 + 0.1);
});

test('no run makes more calls than "at most" of its estimate, also if every answer of the judge is repaired', async () => {
  await using provider = await startProvider({ uses: 'cheap', says: 'This is no vote.' });
  await using project = await provider.projectOf({ assertions: [{ type: 'judge', criteria: CRITERIA }] });
  const estimated = await run(project, '-n', '2', '--estimate', '--json');
  const { agent_runs, judge_calls } = JSON.parse(estimated.stdout);
  expect(provider.calls()).toBe(0);
  await run(project, '-n', '2', '--retries', '0');
  // Every vote is asked for, and asked for once more.
  expect(provider.calls()).toBeGreaterThan(agent_runs + judge_calls.fewest);
  expect(provider.calls()).toBeLessThanOrEqual(agent_runs + judge_calls.most);
});
