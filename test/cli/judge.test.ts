import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startLoopback } from '../loopback/loopback-server.ts';
import { openAiError } from '../loopback/openai-wire.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { documentOf, startCli, storeOf } from './cli-fixture.ts';
import { judged, salvo, salvoYaml, times, vote } from './judge-fixture.ts';

/** An agent that writes down how often it was asked. */
const agent = `
import { appendFileSync } from 'node:fs';
export default async function agent() {
  appendFileSync(new URL('asked.txt', import.meta.url), 'x');
  return { content: 'Done.', cost_usd: 0 };
}
`;
const asked = { adapter: './agent.mjs', script: undefined };

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
    await using dead = await startLoopback(times(3, openAiError(400, { message: 'no such voice' })));
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
      error_message: expect.stringMatching(/^judge: judge_parse_failed: 3\/3 calls failed \(.*400/),
    });
    await using store = await storeOf(project);
    expect(await store.getTrace(trial?.trace_id ?? '')).toMatchObject({ final_content: 'Done.' });
    const again = await salvo(project, alive, ['reeval', 'latest', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ exit_code: 0, verdict: 'PASS' });
    expect(await timesAsked(project)).toBe(1);
  });
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
