import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Exchange, type Loopback, type Reply, startLoopback } from '../loopback/loopback-server.ts';
import { completion, openAiError } from '../loopback/openai-wire.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { documentOf, runCli, startCli, storeOf } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** A cent for every vote of a thousand tokens; the agent costs nothing. */
const salvoYaml = `
prices:
  judge-model: { input_per_million: 10, output_per_million: 0 }
  free: { input_per_million: 0, output_per_million: 0 }
judge: { model: judge-model }
`;
/** An agent that writes down how often it was asked. */
const agent = `
import { appendFileSync } from 'node:fs';
export default async function agent() {
  appendFileSync('asked.txt', 'x');
  return { content: 'Done.', cost_usd: 0 };
}
`;
const TASK = 'Ask the clerk for the way.';
const criteria = [{ name: 'polite', description: 'Says please.', weight: 1 }];
const judged = (changes: Record<string, unknown> = {}, scenario: Record<string, unknown> = {}) =>
  sampleScenario({ model: 'free', assertions: [{ type: 'judge', criteria, ...changes }], ...scenario });
const asked = { adapter: './agent.mjs', script: undefined };

const vote = (score: number, key = 'polite'): Reply =>
  completion({
    toolCalls: [
      { id: 'c', name: 'score_criteria', arguments: JSON.stringify({ [key]: { score, reasoning: 'It begs.' } }) },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 },
  });
const times = (count: number, reply: Reply): Exchange[] => Array.from({ length: count }, () => ({ reply }));

function salvo(project: ProjectFixture, judge: Pick<Loopback, 'url'> | null, args: string[]) {
  return runCli(args, { cwd: project.root, env: judge ? { OPENAI_BASE_URL: `${judge.url}/v1` } : {} });
}

async function timesAsked(project: ProjectFixture): Promise<number> {
  return existsSync(project.path('asked.txt')) ? (await readFile(project.path('asked.txt'), 'utf8')).length : 0;
}

describe('a run with a judge', () => {
  test('keeps every vote, and its cost apart from the agent’s', async () => {
    await using judge = await startLoopback(times(3, vote(0.9)));
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged() });
    const document = documentOf(await salvo(project, judge, ['run', 's.yaml', '-n', '1', '--json']));
    expect(document).toMatchObject({ exit_code: 0, verdict: 'PASS' });
    expect(document.scenarios[0]?.trials).toMatchObject([{ passed: true, cost_usd: 0, judge_cost_usd: 0.03 }]);
    expect(document.scenarios[0]?.trials[0]?.eval_results).toMatchObject([
      {
        details: 'judge=judge-model k=3 votes=3/3 | judge_cost=$0.030000 | polite=0.90',
        metadata: {
          judge_cost_usd: 0.03,
          per_criterion: [{ name: 'polite', median_score: 0.9, reasoning: 'It begs.' }],
          votes: [{ vote_number: 1, scores: { polite: { score: 0.9, reasoning: 'It begs.' } } }, {}, {}],
        },
      },
    ]);
  });

  test('takes its criteria from a rubric file', async () => {
    await using judge = await startLoopback(
      times(1, vote(1, 'brief')).map((exchange) => ({
        ...exchange,
        expect: ({ body }) => expect(JSON.stringify(body)).toContain('- **brief** (weight: 1): One line.'),
      })),
    );
    await using project = await projectFixture({
      'salvo.yaml': salvoYaml,
      '_rubric.yaml': 'criteria: [{name: brief, description: One line.}]\n',
      's.yaml': judged({ criteria: undefined, rubric: '_rubric.yaml', k: 1 }),
    });
    expect((await salvo(project, judge, ['run', 's.yaml', '-n', '1'])).code).toBe(0);
  });

  test('fails like any other when the rubric is not met', async () => {
    await using judge = await startLoopback(times(1, vote(0.2)));
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged({ k: 1 }) });
    expect((await salvo(project, judge, ['run', 's.yaml', '-n', '1'])).code).toBe(1);
  });
});

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

describe('a budget', () => {
  const args = ['run', 's.yaml', '--no-judge-cache', '--json', '--budget-usd'];

  test('counts what judges cost', async () => {
    await using judge = await startLoopback(times(6, vote(1)));
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged() });
    const run = await salvo(project, judge, [...args, '0.07', '-n', '5', '--concurrency', '4']);
    const [scenario] = documentOf(run).scenarios;
    expect(run.code).toBe(3);
    expect(scenario).toMatchObject({ stopped: 'budget', trials_total: 2 });
    expect(judge.requests).toHaveLength(6);
  });

  test('is refused when the price of a judge is unknown, before anything is paid for', async () => {
    await using judge = await startLoopback([]);
    await using project = await projectFixture({
      'salvo.yaml': salvoYaml,
      'agent.mjs': agent,
      's.yaml': judged({ judge_model: 'home-grown' }, asked),
    });
    const { code, stderr } = await salvo(project, judge, [...args, '1']);
    expect(code).toBe(4);
    expect(stderr).toContain('home-grown');
    expect(await timesAsked(project)).toBe(0);
    expect(existsSync(project.path('.salvo'))).toBe(false);
  });
});

describe('a judge that cannot work', () => {
  test('is refused without a key before the agent is called', async () => {
    await using project = await projectFixture({
      'salvo.yaml': salvoYaml,
      'agent.mjs': agent,
      's.yaml': judged({}, asked),
    });
    const { code, stderr } = await salvo(project, null, ['run', 's.yaml']);
    expect(code).toBe(4);
    expect(stderr).toMatch(/"openai" cannot be used yet.*OPENAI_API_KEY/);
    expect(await timesAsked(project)).toBe(0);
  });

  test('needs no key when nothing is judged', async () => {
    await using project = await projectFixture({
      'salvo.yaml': salvoYaml,
      'agent.mjs': agent,
      's.yaml': judged({}, asked),
    });
    const run = await salvo(project, null, ['run', 's.yaml', '-n', '1', '--record-only', '--budget-usd', '1']);
    expect(run.stderr).toBe('');
    expect(run.code).toBe(0);
    expect(await timesAsked(project)).toBe(1);
  });

  test('leaves the trial unscored and says why; the trace is kept, and can be judged when the judge is back', async () => {
    await using dead = await startLoopback(times(3, openAiError(401, { message: 'no such key' })));
    await using alive = await startLoopback(times(3, vote(1)));
    await using project = await projectFixture({
      'salvo.yaml': salvoYaml,
      'agent.mjs': agent,
      's.yaml': judged({}, asked),
    });
    const run = await salvo(project, dead, ['run', 's.yaml', '-n', '1', '--json']);
    expect(run.code).toBe(3);
    const [trial] = documentOf(run).scenarios[0]?.trials ?? [];
    expect(trial).toMatchObject({
      status: 'unscored',
      error_message: expect.stringMatching(/^judge: judge_parse_failed: 3\/3 calls failed \(.*401/),
    });
    await using store = await storeOf(project);
    expect(await store.getTrace(trial?.trace_id ?? '')).toMatchObject({ final_content: 'Done.' });
    const again = await salvo(project, alive, ['reeval', 'latest', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ exit_code: 0, verdict: 'PASS' });
    expect(await timesAsked(project)).toBe(1);
  });
});

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
  await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': judged({ k: 1 }, { prompt: TASK }) });
  const uncached = '--no-judge-cache';
  await salvo(project, judge, ['run', 's.yaml', '-n', '1', uncached]);
  for (const prompt of ['Something else.', 'Something else again.']) {
    await project.write('s.yaml', judged({ k: 1 }, { prompt }));
    // The latest run is the re-evaluation before, whose scenario is not the one that was recorded.
    await salvo(project, judge, ['reeval', 'latest', uncached]);
  }
  expect(judge.requests).toHaveLength(3);
});

test('reeval judges stored traces by changed criteria, and asks no agent', async () => {
  await using judge = await startLoopback([...times(6, vote(1)), ...times(6, vote(0, 'brief'))]);
  await using project = await projectFixture({
    'salvo.yaml': salvoYaml,
    'agent.mjs': agent,
    's.yaml': judged({}, asked),
  });
  const uncached = '--no-judge-cache';
  expect((await salvo(project, judge, ['run', 's.yaml', '-n', '2', uncached])).code).toBe(0);
  await project.write('s.yaml', judged({ criteria: [{ name: 'brief', description: 'One word.' }] }, asked));
  const reeval = await salvo(project, judge, ['reeval', 'latest', '--json', uncached]);
  expect(JSON.parse(reeval.stdout)).toMatchObject({
    exit_code: 1,
    scenarios: [{ task_changes: [], after: { trials_passed: 0, trials_failed: 2, judge_cost_usd: 0.06 } }],
  });
  expect(await timesAsked(project)).toBe(2);
});

test('a judgement that was interrupted is completed by --resume, from the stored trace', async () => {
  await using hanging = await startLoopback(times(3, 'hang'));
  await using alive = await startLoopback(times(3, vote(1)));
  await using project = await projectFixture({
    'salvo.yaml': salvoYaml,
    'agent.mjs': agent,
    's.yaml': judged({}, asked),
  });
  const { child, result, untilStderrHas } = startCli(['run', 's.yaml', '-n', '1', '--json'], {
    cwd: project.root,
    env: { OPENAI_BASE_URL: `${hanging.url}/v1` },
  });
  while (hanging.requests.length < 3) await sleep(20);
  child.kill('SIGINT');
  await untilStderrHas('Finishing');
  child.kill('SIGINT');
  const interrupted = await result;
  expect(interrupted.code).toBe(3);
  expect(documentOf(interrupted)).toMatchObject({ scenarios: [{ trials_total: 0, stopped: 'interrupted' }] });
  const resumed = await salvo(project, alive, ['run', '--resume', 'latest', '--json']);
  expect(documentOf(resumed)).toMatchObject({ exit_code: 0, scenarios: [{ trials_total: 1, trials_passed: 1 }] });
  expect(await timesAsked(project)).toBe(1);
});
