import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import { openAiError } from '../loopback/openai-wire.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { judged, salvo, salvoYaml, vote } from './judge-fixture.ts';

const BAD = 'DROP THE PRODUCTION DATABASE';

/** An agent whose answer has a bad text in its middle. */
const agent = (length: number) => `
const half = 'fine. '.repeat(${Math.floor(length / 12)});
export default async () => ({ content: half + ${JSON.stringify(BAD)} + half, cost_usd: 0 });
`;

/** A judge that fails whatever shows the bad text. */
const startJudge = () => startAnsweringServer(({ body }) => vote(JSON.stringify(body).includes(BAD) ? 0 : 1));

function project(length: number, assertion: Record<string, unknown> = {}): Promise<ProjectFixture> {
  return projectFixture({
    'salvo.yaml': salvoYaml,
    'agent.mjs': agent(length),
    's.yaml': judged({ id: 'harmless', ...assertion }, { adapter: './agent.mjs', script: undefined }),
  });
}

const RUN = ['run', 's.yaml', '-n', '1'];

test('a forbidden text in the middle of 22,024 characters is seen', async () => {
  await using judge = await startJudge();
  await using folder = await project(22_024);
  expect((await salvo(folder, judge, RUN)).code).toBe(1);
  expect(judge.requests()).toBe(3);
});

describe('an answer of 500,000 characters', () => {
  test('is judged in three parts, of which one fails it', async () => {
    await using judge = await startJudge();
    await using folder = await project(500_000);
    const run = await salvo(folder, judge, [...RUN, '--json']);
    const [scenario] = documentOf(run).scenarios;
    expect(run.code).toBe(1);
    expect(judge.requests()).toBe(9);
    expect(scenario?.judges).toMatchObject([{ trials_in_parts: 1, trials_cut: 0 }]);
    expect(scenario?.trials[0]).toMatchObject({ judge_cost_usd: 0.09 });
    expect(scenario?.trials[0]?.eval_results).toMatchObject([
      { details: expect.stringContaining('votes=3/3 parts=3'), metadata: { material: { parts: 3 }, left_out: [] } },
    ]);
    expect((await runCli(['replay', 'latest', '--full'], { cwd: folder.root })).stdout).toContain('in 3 parts');
  });

  test('passes with parts: any if one part is good', async () => {
    await using judge = await startJudge();
    const criteria = [{ name: 'polite', description: 'Says please once.', parts: 'any' }];
    await using folder = await project(500_000, { criteria });
    expect((await salvo(folder, judge, RUN)).code).toBe(0);
  });

  test('is paid for by part: the budget stops the votes', async () => {
    await using judge = await startJudge();
    await using folder = await project(500_000);
    const run = await salvo(folder, judge, [...RUN, '--budget-usd', '0.05']);
    expect(run.code).toBe(3);
    expect(judge.requests()).toBeLessThanOrEqual(5);
  });

  test('is estimated by part, and judged again from the cache', async () => {
    await using judge = await startJudge();
    await using folder = await project(500_000);
    await salvo(folder, judge, RUN);
    const { stdout } = await salvo(folder, judge, ['run', 's.yaml', '-n', '4', '--estimate', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ judge_calls: { fewest: 36, most: 72 } });
    const again = await salvo(folder, judge, ['reeval', 'latest', '--json']);
    expect(again.code).toBe(1);
    expect(judge.requests()).toBe(9);
  });

  test('is not scored with when_too_long: unscored of salvo.yaml, and says why', async () => {
    await using judge = await startJudge();
    await using folder = await project(500_000);
    await folder.write('salvo.yaml', salvoYaml.replace('judge: { ', 'judge: { when_too_long: unscored, '));
    const run = await salvo(folder, judge, RUN);
    expect(run.code).toBe(3);
    expect(judge.requests()).toBe(0);
    expect(run.stdout.replaceAll(/\s+/g, ' ')).toContain('when_too_long: unscored');
  });

  test('is cut with when_too_long: cut, and every report of the pass says what the judge did not see', async () => {
    await using judge = await startJudge();
    await using folder = await project(500_000, { when_too_long: 'cut' });
    const files = ['--junit', 'r.xml', '--markdown', 'r.md'];
    const run = await salvo(folder, judge, [...RUN, ...files]);
    expect(run.code).toBe(0);
    expect(run.stdout.replaceAll(/\s+/g, ' ')).toContain('did not see all of 1 trial');
    expect(await readFile(folder.path('r.md'), 'utf8')).toContain('did not see all of 1 trial');
    expect(await readFile(folder.path('r.xml'), 'utf8')).toMatch(
      /<system-out>harmless: the judge did not see 300,\d{3} characters<\/system-out>/,
    );
    const replay = await runCli(['replay', 'latest'], { cwd: folder.root });
    expect(replay.stdout.replaceAll(/\s+/g, ' ')).toContain('The judge did not see 300,');
    const { stdout } = await runCli(['report', 'latest', '--json'], { cwd: folder.root });
    expect(JSON.parse(stdout).scenarios[0]).toMatchObject({
      judges: [{ trials_cut: 1 }],
      trials: [{ eval_results: [{ passed: true, metadata: { left_out: [{ what: 'final response' }] } }] }],
    });
  });
});

test("a provider's context-length error is not scored, and names the key to set", async () => {
  await using judge = await startAnsweringServer(() =>
    openAiError(400, {
      message: "This model's maximum context length is 4096 tokens.",
      code: 'context_length_exceeded',
    }),
  );
  await using folder = await project(22_024);
  const run = await salvo(folder, judge, [...RUN, '--json']);
  expect(run.code).toBe(3);
  const [scenario] = documentOf(run).scenarios;
  expect(JSON.stringify(scenario?.trials[0]?.eval_results)).toContain('set a smaller max_context_characters');
  const shown = await runCli(['report', 'latest'], { cwd: folder.root });
  expect(shown.stdout.replaceAll(/\s+/g, ' ')).toContain('max_context_characters');
});
