import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../packages/salvo/src/stats/seeded-random.ts';
import { documentOf, runProgram, startCli, storeOf } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { CALL_USD, type PaidServer, paidProject, startPaidServer } from './paid-server.ts';

const TRIALS = 8;
const CONCURRENCY = 2;
const VOTES = 3;
const SEEDS = [1, 2, 3, 4, 5];
const criteria = [{ name: 'polite', description: 'Says please.', weight: 1 }];
const files = {
  ...paidProject,
  's.yaml': sampleScenario({
    adapter: 'openai',
    model: 'agent-model',
    script: undefined,
    assertions: [{ type: 'judge', criteria }],
  }),
  'experiment.yaml': 'name: small\ntasks: { sample: 6 }\nblue: [rules]\nconcurrency: 2\n',
  'labels.jsonl': Array.from({ length: 12 }, (_, index) =>
    JSON.stringify({ task: 'Beg.', response: `Please, number ${index}.`, passed: index % 2 === 0 }),
  ).join('\n'),
  'rubric.yaml': JSON.stringify(criteria),
};
const RUN = ['run', 's.yaml', '-n', String(TRIALS), '--concurrency', String(CONCURRENCY), '--json'];

/** Starts the command and kills it at a moment that the seed decides: when so many calls have arrived. */
async function kill(args: string[], { project, server }: Place, calls: number): Promise<void> {
  const { env } = server;
  const arrived = server.arrivals(calls);
  const { child, result } = startCli(args, { cwd: project.root, env });
  await Promise.race([arrived, result]);
  child.kill('SIGKILL');
  await result;
}

interface Place {
  project: ProjectFixture;
  server: PaidServer;
}

describe.each(SEEDS)('seed %i', (seed) => {
  const random = seededRandom(seed, 'kills');
  const upTo = (most: number): number => 1 + Math.floor(random() * most);

  test('a run that is killed twice is completed: no trial twice, no trace without a trial, every call on the bill', async () => {
    await using project = await projectFixture(files);
    await using server = await startPaidServer();
    const place = { project, server };
    await kill(RUN, place, upTo(TRIALS * (1 + VOTES)));
    await kill(['run', '--resume', 'latest', '--concurrency', String(CONCURRENCY)], place, upTo(TRIALS));
    const { env, calls } = server;
    const resumed = await runProgram(['run', '--resume', 'latest', '--json'], { cwd: project.root, env });
    // A kill before the run was stored leaves nothing to resume.
    const finished = resumed.code === 4 ? await runProgram(RUN, { cwd: project.root, env }) : resumed;
    expect(finished).toMatchObject({ code: 0 });
    const [scenario] = documentOf(finished).scenarios;
    expect(scenario?.trials.map(({ trial_number }) => trial_number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);

    await using store = await storeOf(project);
    expect(await store.findTraceIds('', 100)).toHaveLength(TRIALS);
    // Of each kill, only what was under way can be lost.
    expect(calls.agent).toBeLessThanOrEqual(TRIALS + 2 * CONCURRENCY);
    expect(calls.judge).toBeLessThanOrEqual(TRIALS * VOTES + 2 * CONCURRENCY * VOTES);
    const cents = (usd: number | null | undefined) => Math.round((usd ?? Number.NaN) / CALL_USD);
    expect(cents(scenario?.cost_total_usd ?? scenario?.cost_at_least?.usd)).toBe(TRIALS);
    expect(cents(scenario?.judge_cost_usd ?? scenario?.judge_cost_at_least?.usd)).toBe(TRIALS * VOTES);
    // What was billed and is in no document was lost with a process.
    if (calls.agent > TRIALS) expect(scenario?.cost_at_least).toMatchObject({ killed: true });
    if (calls.judge > TRIALS * VOTES) expect(scenario?.judge_cost_at_least).toMatchObject({ killed: true });
  });

  test('a recording that is killed twice is completed, and replayed without the models', async () => {
    await using project = await projectFixture(files);
    await using server = await startPaidServer();
    const place = { project, server };
    const record = [...RUN, '--model-cassette', 'c.jsonl'];
    await kill(record, place, upTo(TRIALS * (1 + VOTES)));
    await kill(['run', '--resume', 'latest', '--concurrency', String(CONCURRENCY)], place, upTo(TRIALS));
    const at = { cwd: project.root, env: { ...server.env, CI: '' } };
    const resumed = await runProgram(['run', '--resume', 'latest', '--json'], at);
    const finished = resumed.code === 4 ? await runProgram([...record, '--cassettes', 'record'], at) : resumed;
    const { agent, judge } = server.calls;
    const replayed = await runProgram([...record, '--cassettes', 'replay'], at);
    expect(server.calls).toMatchObject({ agent, judge });
    const results = (run: typeof finished) =>
      documentOf(run).scenarios[0]?.trials.map(({ trial_number, status, score, answer_hash }) => [
        ...[trial_number, status, score, answer_hash],
      ]);
    expect(results(replayed)).toHaveLength(TRIALS);
    expect(results(replayed)).toEqual(results(finished));
  });

  test('a reevaluation that is killed is ignored: the next one judges the whole run', async () => {
    await using project = await projectFixture(files);
    await using server = await startPaidServer();
    const { env } = server;
    expect(await runProgram([...RUN, '--no-judge-cache'], { cwd: project.root, env })).toMatchObject({ code: 0 });
    await kill(['reeval', 'latest', '--no-judge-cache'], { project, server }, upTo(TRIALS * VOTES - 1));
    const again = await runProgram(['reeval', 'latest', '--json'], { cwd: project.root, env });
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout).scenarios[0].after).toMatchObject({ trials_total: TRIALS, verdict: 'PASS' });
    const report = await runProgram(['report', '--json'], { cwd: project.root, env });
    expect(documentOf(report).scenarios[0]?.trials).toHaveLength(TRIALS);
  });

  test('a calibration that is killed is complete the next time', async () => {
    await using project = await projectFixture(files);
    await using server = await startPaidServer();
    const calibrate = ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--json'];
    await kill(calibrate, { project, server }, upTo(12 * VOTES));
    const again = await runProgram(calibrate, { cwd: project.root, env: server.env });
    expect(again.stderr).not.toContain('Internal error');
    expect(JSON.parse(again.stdout)).toMatchObject({ scored: 12 });
  });
});

test('an experiment that is killed during a paid call says that its cost is a lower bound', async () => {
  await using project = await projectFixture({
    ...paidProject,
    'salvo.yaml': `default_adapter: openai\n${paidProject['salvo.yaml']}`,
    'e.yaml': 'name: paid\ntasks: { sample: 3 }\nblue: [llm:blue-model]\nconcurrency: 1\n',
  });
  await using server = await startPaidServer();
  const at = { cwd: project.root, env: server.env };
  const hold = server.hold('blue', { after: 1 });
  const { child, result } = startCli(['experiment', 'e.yaml'], at);
  await hold.arrived(1);
  child.kill('SIGKILL');
  await result;
  hold.release();
  const resumed = await runProgram(['experiment', '--resume', 'latest'], at);
  expect(resumed.stdout).toMatch(/at least \$0\.0\d+; a process was killed/);
  const shown = await runProgram(['experiment', '--show', 'latest', '--json'], at);
  expect(JSON.parse(shown.stdout).cost_usd).toMatchObject({ killed: true });
});

test.each(SEEDS)('seed %i: an experiment that is killed is completed', async (seed) => {
  await using project = await projectFixture(files);
  const random = seededRandom(seed, 'experiment');
  const { child, result } = startCli(['experiment', 'experiment.yaml'], { cwd: project.root });
  const timer = setTimeout(() => child.kill('SIGKILL'), 200 + random() * 600);
  await result;
  clearTimeout(timer);
  const resumed = await runProgram(['experiment', '--resume', 'latest', '--json'], { cwd: project.root });
  if (resumed.code === 4) expect(resumed.stderr).toContain('No experiment is stored yet');
  else expect(JSON.parse(resumed.stdout).games).toEqual({ planned: 6, scored: 6, failed: 0, missing: 0 });
});

describe('a run whose process ends while calls are under way', () => {
  const NOTE = 'calls that were under way then may have been billed, and are not counted in the cost';
  const [first, second] = [{ trials: 2 }, { trials: 6 }];

  /** Ends a run when its first trials are stored and others are under way, and completes it. */
  async function endedBy(signal: NodeJS.Signals, { project, server }: Place) {
    const { env } = server;
    const cwd = project.root;
    const hold = server.hold('agent', { after: first.trials });
    const { child, result } = startCli(RUN, { cwd, env });
    await hold.arrived(CONCURRENCY);
    child.kill(signal);
    if (signal === 'SIGKILL') await result;
    hold.release();
    await result;
    return await runProgram(['run', '--resume', 'latest', '--markdown', 'run.md', '--junit', 'run.xml'], { cwd, env });
  }

  test('by a kill says that its cost is a lower bound, and why, in every document', async () => {
    await using project = await projectFixture(files);
    await using server = await startPaidServer();
    const resumed = await endedBy('SIGKILL', { project, server });
    expect(resumed.code).toBe(0);
    expect(server.calls.agent).toBe(first.trials + CONCURRENCY + second.trials);
    const { env } = server;
    const report = await runProgram(['report'], { cwd: project.root, env });
    for (const text of [
      resumed.stdout,
      report.stdout,
      await readFile(join(project.root, 'run.md'), 'utf8'),
      await readFile(join(project.root, 'run.xml'), 'utf8'),
    ]) {
      expect(text.replaceAll(/\s+/g, ' ')).toContain(NOTE);
    }
    for (const text of [resumed.stdout, report.stdout, await readFile(join(project.root, 'run.md'), 'utf8')]) {
      expect(text.replaceAll(/\s+/g, ' ')).toContain('at least $0.0800; a process was killed');
    }
    const json = await runProgram(['report', '--json'], { cwd: project.root, env });
    expect(documentOf(json).scenarios).toMatchObject([
      { cost_total_usd: null, cost_at_least: { usd: expect.closeTo(0.08, 9), calls_unknown: 0, killed: true } },
    ]);
    expect(JSON.parse(json.stdout).notes).toEqual([expect.stringContaining(NOTE)]);
  });

  test('by Ctrl-C has an exact cost: what was under way is finished', async () => {
    await using project = await projectFixture(files);
    await using server = await startPaidServer();
    const resumed = await endedBy('SIGINT', { project, server });
    expect(resumed.code).toBe(0);
    expect(server.calls).toMatchObject({ agent: TRIALS, judge: TRIALS * VOTES });
    expect(resumed.stdout).not.toContain('at least');
    expect(resumed.stdout).not.toContain('killed');
    expect(resumed.stdout).toContain('$0.0800 + $0.240 judges');
  });
});
