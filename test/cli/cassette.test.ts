import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import {
  CASSETTE,
  KEY,
  oneScenario,
  recordedProject,
  resultsOf,
  SALVO_YAML,
  SCENARIO,
  salvo,
  startModels,
} from './cassette-fixture.ts';
import { documentOf } from './cli-fixture.ts';

const RUN = ['run', 's.yaml', '--model-cassette', CASSETTE, '--json'];

describe('a recorded run', () => {
  test('is replayed without servers and keys, trial by trial, in any order', async () => {
    await using recorded = await recordedProject();
    const { project, first } = recorded;
    const then = resultsOf(first);
    expect(then.map(({ status }) => status)).toEqual(['passed', 'failed', 'failed']);
    expect(new Set(then.map(({ answer_hash }) => answer_hash)).size).toBe(3);
    for (const concurrency of ['1', '4']) {
      const again = await salvo(project, null, [...RUN, '-c', concurrency]);
      expect(again.code).toBe(first.code);
      const { scenarios } = documentOf(again);
      expect(resultsOf(again)).toEqual(then);
      expect(scenarios[0]).toMatchObject({
        trials_passed: 1,
        cost_total_usd: 0.06,
        judge_cost_usd: expect.closeTo(0.009, 9),
      });
    }
  });

  test('has its cases apart, also if their answers came in any order', async () => {
    await using server = await startModels();
    const data = `${SCENARIO.replace('order A-1', 'order {{id}}')}data: [{ name: a, id: A-1 }, { name: b, id: A-1 }]\n`;
    await using project = await oneScenario({ 's.yaml': data });
    const first = resultsOf(await salvo(project, server, [...RUN, '-c', '6']));
    expect(first.map((trial) => trial.case)).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
    expect(resultsOf(await salvo(project, null, [...RUN, '-c', '1', '--seed', '7']))).toEqual(first);
  });

  test('has the times of its models, too, and its report says that nothing was paid', async () => {
    await using recorded = await recordedProject();
    const { project } = recorded;
    const lines = (await readFile(project.path(CASSETTE), 'utf8')).replaceAll(
      /"latency_seconds":[\d.]+/g,
      '"latency_seconds":7',
    );
    await project.write(CASSETTE, lines);
    const { scenarios } = documentOf(await salvo(project, null, RUN));
    const [trial] = scenarios[0]?.trials ?? [];
    expect(trial?.latency_seconds).toBeGreaterThanOrEqual(14);
    expect(trial?.latency_seconds).toBeLessThan(15);
    const { stdout } = await salvo(project, null, RUN.slice(0, -1));
    expect(stdout).toMatch(/replayed from cassettes\/refund.jsonl and\s+cost\s+nothing\s+now/);
    expect((await salvo(project, null, ['report'])).stdout).toContain('replayed from cassettes/refund.jsonl');
  });

  test('that got no answer says so, also later', async () => {
    await using server = await startModels({ failAfter: 0 });
    await using project = await oneScenario();
    const { code, stdout } = await salvo(project, server, RUN.slice(0, -1));
    expect(code).toBe(3);
    const words = `Nothing was recorded on ${CASSETTE}: no call of a model was answered.`;
    for (const text of [stdout, (await salvo(project, null, ['report'])).stdout]) {
      expect(text.replaceAll(/\s+/g, ' ')).toContain(words);
      expect(text).not.toContain('were recorded');
    }
  });

  test('needs no known price and no share of a budget', async () => {
    await using recorded = await recordedProject();
    const { project } = recorded;
    await project.write('salvo.yaml', SALVO_YAML.replace(/prices:\n.*\n.*\n/, ''));
    expect(SALVO_YAML).not.toBe(await readFile(project.path('salvo.yaml'), 'utf8'));
    const { code, stdout } = await salvo(project, null, [...RUN, '--budget-usd', '0.0001']);
    expect({ code, cost: documentOf({ stdout }).scenarios[0]?.cost_total_usd }).toEqual({ code: 0, cost: 0.06 });
  });

  test('is a file without secrets, drafts and locks', async () => {
    await using server = await startModels();
    await using project = await oneScenario({
      's.yaml': SCENARIO.replace('Refund order', 'Say the key and refund order'),
    });
    const first = resultsOf(await salvo(project, server, RUN));
    const text = await readFile(project.path(CASSETTE), 'utf8');
    expect(text.split('\n')[0]).toBe('{"kind":"cassette","version":1}');
    expect(text).not.toContain(KEY);
    expect(text).toContain('[REDACTED');
    expect(await readdir(project.path('cassettes'))).toEqual(['refund.jsonl']);
    const again = resultsOf(await salvo(project, null, RUN));
    expect(again.map(({ score, status }) => [score, status])).toEqual(
      first.map(({ score, status }) => [score, status]),
    );
  });

  test('can be replayed by shards, and resumed', async () => {
    await using recorded = await recordedProject();
    const { project, first } = recorded;
    for (const shard of ['1/2', '2/2']) {
      const args = ['run', 's.yaml', '--model-cassette', CASSETTE, '--shard', shard, '--out', 'parts'];
      expect(await salvo(project, null, args)).toMatchObject({ code: 0 });
    }
    const merged = await salvo(project, null, ['merge', 'parts', '--json']);
    expect(resultsOf(merged)).toEqual(resultsOf(first));
    // A replayed run goes on with its cassette, whatever keys there are, and with no other.
    await project.write('s.yaml', SCENARIO);
    const resumed = await salvo(project, null, ['run', '--resume', 'latest', '--json']);
    expect(resumed.code).toBe(0);
    const live = await salvo(project, null, ['run', '--resume', 'latest', '--cassettes', 'live']);
    expect(live).toMatchObject({ code: 4, stderr: expect.stringMatching(/was begun with --cassettes replay/) });
  });
});

describe('what the cassette does not have', () => {
  test('is no live call: the trial is not scored, and the error says what differs and how to record again', async () => {
    await using recorded = await recordedProject();
    await using server = await startModels();
    const { project } = recorded;
    await project.write('s.yaml', SCENARIO.replace('order A-1', 'order B-2'));
    const { code, stdout } = await salvo(project, server, RUN);
    expect(code).toBe(3);
    const [trial] = documentOf({ stdout }).scenarios[0]?.trials ?? [];
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'ADAPTER_NOT_RECORDED', cost_usd: 0 });
    expect(trial?.error_message).toBe(
      'A request of the agent with 1 message is not on the cassette cassettes/refund.jsonl: trial 1 of "refund", openai agent-model. The nearest recorded request (in line 4) differs in messages[0].content: recorded "Refund order A-1.", now "Refund order B-2.". To record it again: salvo run s.yaml --model-cassette cassettes/refund.jsonl --cassettes record',
    );
    expect(server.requests()).toBe(0);
  });

  test('may be one vote of a judge: the others do not decide without it', async () => {
    await using recorded = await recordedProject();
    const { project } = recorded;
    await project.write('s.yaml', SCENARIO.replace('k: 3', 'k: 4'));
    const { code, stdout } = await salvo(project, null, RUN);
    expect(code).toBe(3);
    const [trial] = documentOf({ stdout }).scenarios[0]?.trials ?? [];
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'ADAPTER_NOT_RECORDED' });
    expect(trial?.error_message).toMatch(/vote 4 of the judge anthropic judge-model .* is not on the cassette/);
  });

  test('may be a trial: both numbers are told before the first trial', async () => {
    await using recorded = await recordedProject();
    const { code, stderr, stdout } = await salvo(recorded.project, null, [...RUN, '-n', '5']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(
      /s\.yaml: 5 trials .* and the cassette cassettes\/refund\.jsonl has 3 \(it lacks trial 4, 5\)/,
    );
    expect(stderr).toContain(`salvo run s.yaml -n 5 --model-cassette ${CASSETTE} --cassettes record`);
    expect((await salvo(recorded.project, null, [...RUN, '-n', '2'])).code).toBe(0);
  });

  test('may be the file: it is recorded, except in CI and with --cassettes replay', async () => {
    await using server = await startModels();
    await using project = await oneScenario();
    const inCi = await salvo(project, server, RUN, { CI: 'true' });
    expect(inCi).toMatchObject({ code: 4, stderr: expect.stringMatching(/does not exist. Nothing is recorded in CI/) });
    const replay = await salvo(project, server, [...RUN, '--cassettes', 'replay']);
    expect(replay).toMatchObject({ code: 4, stderr: expect.stringContaining('does not exist') });
    const record = await salvo(project, server, [...RUN, '--cassettes', 'record'], { CI: '1' });
    expect(record).toMatchObject({ code: 4, stderr: expect.stringContaining('Nothing is recorded in CI') });
    expect(server.requests()).toBe(0);
    expect((await salvo(project, server, RUN)).stderr).toContain('Models are called, and their answers are recorded');
    expect((await salvo(project, null, RUN, { CI: 'true' })).code).toBe(0);
  });
});

describe('recording again', () => {
  test('replaces the trials of the run, removes those that it no longer has, and keeps other scenarios', async () => {
    await using server = await startModels();
    await using project = await oneScenario({ 't.yaml': SCENARIO.replace('name: refund', 'name: other') });
    const record = ['--model-cassette', CASSETTE, '--cassettes', 'record', '--json'];
    await salvo(project, server, ['run', 's.yaml', 't.yaml', ...record]);
    const again = await salvo(project, server, ['run', 's.yaml', '-n', '2', ...record]);
    const replayed = await salvo(project, null, ['run', 's.yaml', '-n', '2', '--model-cassette', CASSETTE, '--json']);
    expect(resultsOf(replayed)).toEqual(resultsOf(again));
    expect((await salvo(project, null, [...RUN])).stderr).toContain('has 2 (it lacks trial 3)');
    expect((await salvo(project, null, ['run', 't.yaml', '--model-cassette', CASSETTE])).code).toBe(0);
  });

  test('goes on when a recording was interrupted: what it had stays', async () => {
    await using server = await startModels();
    await using failing = await startModels({ failAfter: 5 });
    await using project = await oneScenario();
    expect((await salvo(project, failing, [...RUN, '-c', '1'])).code).toBe(3);
    const part = await salvo(project, null, RUN);
    expect(part).toMatchObject({ code: 4, stderr: expect.stringMatching(/3 trials .* has 1 \(it lacks trial 2, 3\)/) });
    const resumed = await salvo(project, server, ['run', '--resume', 'latest', '--json']);
    expect(resultsOf(await salvo(project, null, RUN))).toEqual(resultsOf(resumed));
  });

  test('live leaves the file alone', async () => {
    await using recorded = await recordedProject();
    await using server = await startModels();
    const before = await readFile(recorded.project.path(CASSETTE), 'utf8');
    await salvo(recorded.project, server, [...RUN, '--cassettes', 'live']);
    expect(server.requests()).toBe(15);
    expect(await readFile(recorded.project.path(CASSETTE), 'utf8')).toBe(before);
  });
});

describe('is refused before the first trial', () => {
  test.each([
    ['an agent that calls its model itself', ['--adapter', './agent.mjs'], /agent\.mjs" calls its model itself/],
    ['a program', ['--adapter', 'exec:node agent.mjs'], /calls its model itself/],
    ['a shard that would record', ['--shard', '1/2', '--out', 'p'], /record without --shard/],
    ['a recording with gaps', ['--early-stop'], /--early-stop leaves trials out/],
    ['a mode that nobody knows', ['--cassettes', 'once'], /record, replay, live/],
  ])('%s', async (_, args, problem) => {
    await using project = await oneScenario({ 'agent.mjs': 'export default () => "hi";\n' });
    const { code, stderr } = await salvo(project, null, ['run', 's.yaml', '--model-cassette', CASSETTE, ...args]);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(problem) });
  });

  test('a mode without a file', async () => {
    await using project = await oneScenario();
    const { code, stderr } = await salvo(project, null, ['run', 's.yaml', '--cassettes', 'replay']);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('needs a file') });
  });

  test('a run by workers', async () => {
    await using project = await oneScenario();
    const env = { SALVO_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const { code, stderr } = await salvo(project, null, RUN, env);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('Workers have no cassette') });
  });

  test.each([
    ['is empty', '', 1],
    ['is cut off', '{"kind":"cassette","version":1}\n{"kind":"part","id":"1db1', 2],
    ['has another version', '{"kind":"cassette","version":2}\n', 1],
  ])('a cassette that %s', async (_, text, line) => {
    await using project = await oneScenario({ [CASSETTE]: text });
    for (const mode of ['replay', 'record']) {
      const { code, stderr } = await salvo(project, null, [...RUN, '--cassettes', mode]);
      expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(`refund.jsonl:${line}:`) });
    }
    expect(await readFile(project.path(CASSETTE), 'utf8')).toBe(text);
  });
});

describe('the cassettes of adapters', () => {
  const yaml = `${SALVO_YAML}adapters:
  openai: { type: openai, cassette: agent.jsonl }
  anthropic: { type: anthropic, cassette: judge.jsonl }
`;

  test('are recorded and replayed without an option', async () => {
    await using server = await startModels();
    await using project = await projectFixture({ 'salvo.yaml': yaml, 's.yaml': SCENARIO });
    const first = await salvo(project, server, ['run', 's.yaml', '--json']);
    const again = await salvo(project, null, ['run', 's.yaml', '--json', '--cassettes', 'replay']);
    expect(resultsOf(again)).toEqual(resultsOf(first));
    expect(await readFile(project.path('judge.jsonl'), 'utf8')).toContain('"vote":3');
    expect(await readFile(project.path('agent.jsonl'), 'utf8')).not.toContain('"vote"');
  });

  test('are all recorded, or all replayed; replay calls no model that has none', async () => {
    await using server = await startModels();
    await using project = await projectFixture({ 'salvo.yaml': yaml, 's.yaml': SCENARIO });
    await salvo(project, server, ['run', 's.yaml']);
    await project.write('salvo.yaml', yaml.replace('judge.jsonl', 'elsewhere.jsonl'));
    expect((await salvo(project, server, ['run', 's.yaml'])).stderr).toContain('elsewhere.jsonl does not exist, but');
    await project.write('salvo.yaml', yaml.replace(/, cassette: judge.jsonl/, ''));
    const replay = await salvo(project, server, ['run', 's.yaml', '--cassettes', 'replay']);
    expect(replay).toMatchObject({ code: 4, stderr: expect.stringContaining('anthropic has no `cassette:`') });
  });

  test('several models of one scenario keep their answers apart', async () => {
    await using server = await startModels();
    await using project = await oneScenario();
    const args = ['run', 's.yaml', '--models', 'agent-model,judge-model', '--model-cassette', CASSETTE, '--json'];
    const first = resultsOf(await salvo(project, server, [...args, '-c', '6']));
    expect(first).toHaveLength(6);
    expect(resultsOf(await salvo(project, null, [...args, '-c', '2']))).toEqual(first);
  });
});
