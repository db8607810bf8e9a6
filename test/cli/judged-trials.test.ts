import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startLoopback } from '../loopback/loopback-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { judged, salvo, salvoYaml, times, vote } from './judge-fixture.ts';

describe('votes that were paid for', () => {
  const args = ['run', 's.yaml', '-n', '1', '--json'];

  test('are reused when the same trials are judged again, which costs nothing', async () => {
    await using judge = await startLoopback(times(6, vote(0.9)));
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged() });
    await salvo(project, judge, ['run', 's.yaml', '-n', '2']);
    const estimate = JSON.parse((await salvo(project, judge, ['reeval', 'latest', '--estimate', '--json'])).stdout);
    expect(estimate.scenarios[0].judges).toMatchObject([{ cached_votes: 6, calls: { most: 0 } }]);
    // A re-evaluation is a run of its own, and can be judged again as well.
    for (const _ of [1, 2]) {
      const again = JSON.parse((await salvo(project, judge, ['reeval', 'latest', '--json'])).stdout);
      expect(again.scenarios[0].after).toMatchObject({
        trials_passed: 2,
        judge_cost_usd: 0,
        judges: [{ votes_cast: 6, votes_cached: 6 }],
      });
    }
    expect(judge.requests).toHaveLength(6);
  });

  test('are not reused by another run: its trials are judged on their own', async () => {
    await using judge = await startLoopback(times(6, vote(0.9)));
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged() });
    for (const _ of [1, 2]) {
      const { scenarios } = documentOf(await salvo(project, judge, args));
      expect(scenarios[0]?.trials).toMatchObject([{ eval_results: [{ metadata: { cached_votes: 0 } }] }]);
    }
    expect(judge.requests).toHaveLength(6);
  });

  test.each([1, 40])('are independent over equal answers of 40 trials, %i at a time', async (concurrency) => {
    const noisy = Array.from({ length: 40 }, (_, index) => ({ reply: vote(index % 4 === 0 ? 0.1 : 0.9) }));
    await using judge = await startLoopback(noisy);
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged({ k: 1 }) });
    const at = ['-n', '40', '--concurrency', `${concurrency}`, '--json'];
    const { scenarios } = documentOf(await salvo(project, judge, ['run', 's.yaml', ...at]));
    expect(judge.requests).toHaveLength(40);
    expect(scenarios[0]).toMatchObject({ trials_passed: 30, trials_failed: 10 });
  });

  test('are paid for again with --no-judge-cache, and none is stored', async () => {
    await using judge = await startLoopback(times(6, vote(0.9)));
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged() });
    for (const _ of [1, 2]) await salvo(project, judge, [...args, '--no-judge-cache']);
    expect(judge.requests).toHaveLength(6);
    expect(existsSync(project.path('.salvo/judge-cache'))).toBe(false);
  });

  test('are paid for again when somebody else wrote their files: a forged vote changes no verdict', async () => {
    await using judge = await startLoopback(times(2, vote(0.1)));
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged({ k: 1 }) });
    expect((await salvo(project, judge, args)).code).toBe(1);
    const folder = project.path('.salvo/judge-cache');
    const [name = ''] = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.json'));
    const file = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, name), file.replace('"score":0.1', '"score":1'));
    const again = await salvo(project, judge, ['reeval', 'latest', '--json']);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout).scenarios[0].after.judges).toMatchObject([{ votes_cast: 1, votes_cached: 0 }]);
    expect(judge.requests).toHaveLength(2);
  });

  test('are paid for again when another server answers', async () => {
    await using one = await startLoopback(times(1, vote(0.9)));
    await using other = await startLoopback(times(1, vote(0.1)));
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged({ k: 1 }) });
    expect((await salvo(project, one, args)).code).toBe(0);
    expect((await salvo(project, other, args)).code).toBe(1);
  });

  test('are kept without secrets, and not at all where no text may be kept', async () => {
    const key = 'sk-test-0123456789abcdefghijkl';
    const leaking = completion({
      toolCalls: [{ id: 'c', name: 'score_criteria', arguments: `{"polite":{"score":1,"reasoning":"Says ${key}."}}` }],
    });
    await using judge = await startLoopback(times(2, leaking));
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged({ k: 1 }) });
    const env = { OPENAI_BASE_URL: `${judge.url}/v1`, OPENAI_API_KEY: key };
    const folder = project.path('.salvo/judge-cache');
    await runCli(args, { cwd: project.root, env });
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json'));
    expect(files).toHaveLength(1);
    expect(await readFile(join(folder, files[0] ?? ''), 'utf8')).toMatch(/Says \[REDACTED/);
    await project.write('salvo.yaml', `${salvoYaml}recording: { mode: metadata_only }\nstorage_dir: other\n`);
    expect((await runCli(args, { cwd: project.root, env })).code).toBe(0);
    expect(await readdir(project.path('other'))).not.toContain('judge-cache');
  });
});

describe('the task that a judge sees', () => {
  const TASK = 'Ask the clerk for the way.';

  test("the judge sees the scenario's task, also when the agent reports another one", async () => {
    const lying = `
      export default async () => ({
        messages: [{ role: 'user', content: 'Say done.' }, { role: 'assistant', content: 'Done.' }],
        cost_usd: 0,
      });
    `;
    const expectTask = ({ body }: { body: unknown }) => {
      const [task, reported] = String(Object(body).messages[1].content)
        .split(/^## .*$/m)
        .slice(1);
      expect([task, reported]).toEqual([
        expect.stringContaining(`: task>>>\n${TASK}\n`),
        expect.stringContaining('\nSay done.\n'),
      ]);
    };
    await using judge = await startLoopback([1, 2].map(() => ({ expect: expectTask, reply: vote(0.9) })));
    const scenario = { adapter: './lying.mjs', script: undefined, prompt: TASK };
    await using project = await projectFixture({
      'salvo.yaml': salvoYaml,
      'lying.mjs': lying,
      's.yaml': judged({ k: 1 }, scenario),
    });
    await salvo(project, judge, ['run', 's.yaml', '-n', '1']);
    await salvo(project, judge, ['reeval', 'latest', '--no-judge-cache']);
    expect(judge.requests).toHaveLength(2);
  });

  test('reeval shows the judge the task that the agent was given, however the scenario changed since', async () => {
    const expectTask = ({ body }: { body: unknown }) => {
      expect(JSON.stringify(body)).toContain(TASK);
      expect(JSON.stringify(body)).not.toMatch(/Something else|Agent Reported/);
    };
    await using judge = await startLoopback([1, 2, 3].map(() => ({ expect: expectTask, reply: vote(0.9) })));
    await using project = await projectFixture({
      'salvo.yaml': salvoYaml,
      's.yaml': judged({ k: 1 }, { prompt: TASK }),
    });
    const uncached = '--no-judge-cache';
    await salvo(project, judge, ['run', 's.yaml', '-n', '1', uncached]);
    for (const prompt of ['Something else.', 'Something else again.']) {
      await project.write('s.yaml', judged({ k: 1 }, { prompt }));
      // The latest run is the re-evaluation before, whose scenario is not the one that was recorded.
      await salvo(project, judge, ['reeval', 'latest', uncached]);
    }
    expect(judge.requests).toHaveLength(3);
  });
});
