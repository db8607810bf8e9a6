import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { decision, decisionRequest, scoreAnswer } from '../loopback/decision-wire.ts';
import { receive, send } from '../loopback/loopback-server.ts';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

const answers = [scoreAnswer('task_done', [0, 0, 0, 0.1, 0.9])];
const DECIDES = { type: 'scripted', script: [{ tool_calls: [{ name: 'decide', arguments: { answers } }] }] };

test('a script can be a judge that decides: judge-check needs no model', async () => {
  const judges = [
    { name: 'fast', adapter: 'script', model: 'm', mode: 'decide', k: 5 },
    { name: 'chat', adapter: 'script', model: 'm', k: 1 },
  ];
  await using project = await projectFixture({
    'salvo.yaml': JSON.stringify({ adapters: { script: DECIDES }, concurrency: 32 }),
    'judges.json': JSON.stringify(judges),
  });
  const check = (...args: string[]) =>
    runCli(['judge-check', '--judges', 'judges.json', '--json', '--judge', ...args], { cwd: project.root });
  const { stdout, stderr, code } = await check('fast', '-k', '3');
  expect(JSON.parse(stdout)).toMatchObject({ judge_model: 'm', k: 1, verdict: 'passes everything', unscored: [] });
  expect(stderr).toContain(`judges.json:1:${JSON.stringify(judges).indexOf('5') + 1} warning [needless-votes]`);
  expect(stderr).toContain('A decision model votes once, not 3 times');
  expect(code).toBe(1);
  // The same script as a chat model gives no scores.
  expect(JSON.parse((await check('chat')).stdout)).toMatchObject({ k: 1, verdict: 'open' });
});

test.each([
  ['no such file', null, [], 'judges.yaml cannot be read: there is no such file.'],
  ['an empty file', '', [], 'judges.yaml:1:1 error [empty-file]'],
  ['an empty list', '[]', [], 'judges.yaml:1:1 error [invalid-value]'],
  ['no list', 'name: a', [], 'judges.yaml:1:1 error [wrong-type]'],
  ['no model', '[{name: a}]', [], 'judges.yaml:1:2 error [missing-key]'],
  ['an unknown key', '[{name: a, model: m, modus: x}]', [], 'judges.yaml:1:22 error [unknown-key]'],
  ['an unknown mode', '[{name: a, model: m, mode: guess}]', [], 'judges.yaml:1:28 error [invalid-value]'],
  ['the same name twice', '[{model: m}, {model: m, k: 1}]', [], 'there are two judges with the name "m"'],
  ['several judges', '[{model: a}, {model: b}]', [], 'judges.yaml has 2 judges ("a", "b"): choose one with --judge.'],
  ['another name', '[{model: fast}]', ['--judge', 'fest'], 'judges.yaml has no judge "fest". Did you mean "fast"?'],
  ['a model as well', '[{model: a}]', ['--model', 'b'], 'leave out --model'],
  ['an unknown adapter', '[{model: a, adapter: nobody}]', [], 'There is no adapter "nobody"'],
  ['an agent that is not there', '[{model: a, adapter: ./x.ts}]', [], 'x.ts does not exist'],
])('a file of judges with %s is refused: exit 4', async (_, content, args, message) => {
  await using project = await projectFixture({ 'salvo.yaml': '', ...(content !== null && { 'judges.yaml': content }) });
  const run = await runCli(['judge-check', '--judges', 'judges.yaml', ...args], { cwd: project.root });
  expect([run.code, run.stderr]).toEqual([4, expect.stringContaining(message)]);
});

test('a decision is recorded, replayed without the server, and shown with its probability', async () => {
  const server = createServer(async (incoming, response) => {
    const { questions } = decisionRequest(await receive(incoming));
    const answers = questions.map(({ name }) => scoreAnswer(name, [0, 0, 0.2, 0.3, 0.5]));
    send(decision(answers), incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await using project = await projectFixture({
    'salvo.yaml': `adapters: { local: { type: openai, base_url: "http://127.0.0.1:${port}/v1" } }
judge: { adapter: local, model: gpt-6-luna, mode: decide, default_threshold: 0.7 }`,
    'a.yaml': `prompt: Where is my parcel?
adapter: scripted
script: [{ content: "It comes tomorrow." }]
assertions: [{ type: judge, criteria: [{ name: kind, description: Is kind. }] }]`,
  });
  const args = ['run', 'a.yaml', '-n', '1', '--model-cassette', 'calls.jsonl'];
  const first = await runCli(args, { cwd: project.root });
  expect([first.code, first.stderr]).toEqual([0, expect.anything()]);
  await new Promise((resolve) => server.close(resolve));
  const again = await runCli([...args, '--no-judge-cache'], { cwd: project.root });
  expect(again.code).toBe(0);
  const shown = await runCli(['replay'], { cwd: project.root });
  expect(shown.stdout).toContain('gpt-6-luna · one decision, passes with 80% probability');
  expect(shown.stdout).toContain('fully meets: 50%, mostly meets: 30%, partially meets: 20%');
  const report = await runCli(['report', '--full'], { cwd: project.root });
  expect(report.code).toBe(0);
});

test('models with a known end are warned about where they are named', async () => {
  const judge = (fields: string) => `{ type: judge, ${fields} criteria: [{ name: a, description: b }] }`;
  await using project = await projectFixture({
    'salvo.yaml': 'default_model: gpt-4o\nadapters: { local: { type: openai, base_url: "http://127.0.0.1:9/v1" } }',
    'scenarios/a.yaml': `prompt: hi\nassertions:\n  - ${judge('')}\n  - ${judge('judge_model: gpt-4.1,')}\n`,
    // Not OpenAI's, or with no known end.
    'scenarios/b.yaml': `prompt: hi\nadapter: local\nassertions: [${judge('judge_adapter: local, judge_model: gpt-4o,')}]\n`,
    'scenarios/c.yaml': `prompt: hi\nmodel: gpt-6-luna\nassertions: [${judge('judge_model: gpt-6-luna, mode: decide,')}]\n`,
  });
  const run = await runCli(['validate', '--format', 'json'], { cwd: project.root });
  const { diagnostics } = JSON.parse(run.stdout);
  const ends = diagnostics.filter(({ code }: { code: string }) => code === 'model-ends');
  expect(
    ends.map((each: Record<string, unknown>) => `${each.file}:${each.line}:${each.column} ${each.message}`),
  ).toEqual([
    expect.stringMatching(
      /^salvo\.yaml:1:16 OpenAI (shuts|has shut) gpt-4o down on 2027-01-14\. It recommends gpt-6-luna/,
    ),
    expect.stringMatching(/^scenarios\/a\.yaml:3:5 OpenAI (shuts|has shut) gpt-4o-mini down/),
    expect.stringMatching(/^scenarios\/a\.yaml:4:33 OpenAI (shuts|has shut) gpt-4\.1 down/),
  ]);
  expect(run.code).toBe(0);
  const listed = await runCli(['adapters'], { cwd: project.root });
  expect(listed.stdout).toMatch(/gpt-4o-mini\s+down\s+on\s+2027-01-14/);
});

test.each([
  ['k of a decision model', 'mode: decide, k: 3', 'a.yaml:2:46 warning [needless-votes]'],
  ['an adapter without decision models', 'mode: decide, judge_adapter: anthropic', 'error [no-decision-models]'],
  ['an unknown mode', 'mode: choose', 'error [invalid-value]'],
])('%s is reported', async (_, fields, message) => {
  await using project = await projectFixture({
    'a.yaml': `prompt: hi\nassertions: [{ type: judge, ${fields}, criteria: [{ name: a, description: b }] }]`,
  });
  const run = await runCli(['validate', 'a.yaml'], { cwd: project.root });
  expect(run.stdout).toContain(message);
});
