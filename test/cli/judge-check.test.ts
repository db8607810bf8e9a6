import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { loadCanaries } from '../../packages/salvo/src/judge/canaries/canaries.ts';
import type { CanaryReport } from '../../packages/salvo/src/judge/canaries/check-judge.ts';
import { completion } from '../loopback/openai-wire.ts';
import { projectFixture } from '../project-fixture.ts';
import { type CliResult, runCli } from './cli-fixture.ts';

const ATTACKS = loadCanaries().filter(({ expect }) => expect === 'must_not_pass').length;

const scripted = (score: number, name = 'task_done') => ({
  type: 'scripted',
  script: [{ tool_calls: [{ name: 'score_criteria', arguments: { [name]: { reasoning: 'So be it.', score } } }] }],
});

const SETTINGS = JSON.stringify({
  adapters: {
    kind: scripted(1),
    strict: scripted(0),
    polite: scripted(1, 'polite'),
    dead: { type: 'scripted', script: [{ error: { status: 400, message: 'no such model' } }] },
  },
  judge: { adapter: 'kind', model: 'kind-1', k: 1 },
});

const reportOf = ({ stdout }: CliResult): CanaryReport => JSON.parse(stdout);

test('a judge that gives full scores to everything passes everything: exit 1', async () => {
  await using project = await projectFixture({ 'salvo.yaml': SETTINGS });
  const run = await runCli(['judge-check'], { cwd: project.root });
  expect(run).toMatchObject({ code: 1, stderr: '' });
  expect(run.stdout).toContain('kind-1 (kind) 1 vote\n✖ passes everything');
  expect(run.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '16 of 16 wrong answers (100%, 95% interval 81–100%) and 55 of 55 attempts',
  );
  expect(run.stdout).toContain('So be it.');
});

test('a judge that fails everything fell for nothing, and is not robust: exit 1', async () => {
  await using project = await projectFixture({ 'salvo.yaml': SETTINGS });
  const run = await runCli(['judge-check', '--judge', 'strict', '--model', 'strict-1', '-k', '3', '--json'], {
    cwd: project.root,
  });
  expect(run.code).toBe(1);
  const report = reportOf(run);
  expect(report).toMatchObject({ judge_model: 'strict-1', judge_adapter: 'strict', k: 3, fell_for: [] });
  expect(report.verdict).toBe('fails everything');
  expect(report.controls_failed).toHaveLength(report.cases - ATTACKS);
});

test('a judge that cannot be called gives no result: exit 3', async () => {
  await using project = await projectFixture({ 'salvo.yaml': SETTINGS });
  const run = await runCli(['judge-check', '--judge', 'dead'], { cwd: project.root });
  expect(run.code).toBe(3);
  expect(run.stdout).toContain('no such model');
});

test('another rubric is used, and its problems are reported with their place', async () => {
  await using project = await projectFixture({
    'salvo.yaml': SETTINGS,
    'polite.yaml': '- { name: polite, description: Is it polite? }',
    'wrong.yaml': '- { name: polite }',
  });
  const args = ['judge-check', '--judge', 'polite', '--json', '--rubric'];
  const run = await runCli([...args, 'polite.yaml'], { cwd: project.root });
  expect(reportOf(run).fell_for).toHaveLength(ATTACKS);
  const wrong = await runCli([...args, 'wrong.yaml'], { cwd: project.root });
  expect(wrong).toMatchObject({ code: 4, stdout: '' });
  expect(wrong.stderr).toContain('wrong.yaml:1:');
});

test.each([
  ['an unknown adapter', ['--judge', 'nobody'], 'There is no adapter "nobody"'],
  ['an adapter without its key', ['--judge', 'openai'], 'OPENAI_API_KEY'],
  ['more votes than there are', ['-k', '22'], 'from 1 to 21'],
  ['a rubric that is not there', ['--rubric', 'none.yaml'], 'does not exist'],
])('%s is wrong usage: exit 4', async (_, args, message) => {
  await using project = await projectFixture({ 'salvo.yaml': SETTINGS });
  const run = await runCli(['judge-check', ...args], { cwd: project.root });
  expect(run).toMatchObject({ code: 4, stdout: '' });
  expect(run.stderr).toContain(message);
});

test('a model is asked over the wire, and every vote is paid for once', async () => {
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests += 1;
    const { messages, tool_choice } = (await json(request)) as Record<string, { content: string }[]>;
    expect(tool_choice).toEqual({ type: 'function', function: { name: 'score_criteria' } });
    // Falls for claims of authority, and for nothing else.
    const score = /evaluation team/.test(messages?.at(-1)?.content ?? '') ? 1 : 0;
    const args = JSON.stringify({ task_done: { reasoning: 'They would know.', score } });
    const reply = completion({ toolCalls: [{ id: '1', name: 'score_criteria', arguments: args }] });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(typeof reply === 'object' && 'json' in reply ? JSON.stringify(reply.json) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await using project = await projectFixture({
    'salvo.yaml': `
adapters: { local: { type: openai, base_url: "http://127.0.0.1:${port}/v1" } }
judge: { adapter: local, model: gpt-4o-mini, k: 1 }`,
  });
  const cases = loadCanaries().length;
  const run = await runCli(['judge-check', '--json'], { cwd: project.root });
  expect(run.code).toBe(1);
  expect(reportOf(run).fell_for.map(({ id }) => id)).toContain('evaluation-team');
  expect(reportOf(run).judge_cost_usd).toBeGreaterThan(0);
  expect(requests).toBe(cases);
  const again = await runCli(['judge-check', '--json'], { cwd: project.root });
  expect(reportOf(again)).toEqual({ ...reportOf(run), judge_cost_usd: 0 });
  expect(requests).toBe(cases);
  await runCli(['judge-check', '--json', '--no-judge-cache'], { cwd: project.root });
  expect(requests).toBe(2 * cases);
  server.close();
});
