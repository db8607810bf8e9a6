import { expect, test } from 'vitest';
import { z } from 'zod';
import { documentOf, runProgram } from '../cli/cli-fixture.ts';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const modelSchema = z.object({ model: z.string() });

/** A provider that answers every request alike, and counts them. */
async function startProvider(
  answer: (model: string, request: number) => { status: number; headers?: Record<string, string>; text?: string },
): Promise<AsyncDisposable & { url: string; requests: () => number }> {
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const server = await startAnsweringServer(({ body }, request) => {
    const { status, headers = {}, text } = answer(modelSchema.parse(body).model, request);
    return text === undefined
      ? { status, headers, json: { error: { message: 'No.' } } }
      : completion({ content: text, usage });
  });
  return { ...server, url: `${server.url}/v1` };
}

const scenario = (name: string, model: string, assertions = '[{ type: output_contains, value: ok }]') =>
  `name: ${name}\nmodel: ${model}\nprompt: Hi\nassertions: ${assertions}\n`;
const judged = '[{ type: judge, criteria: [{ name: polite, description: Polite., weight: 1 }] }]';
const salvoYaml = (url: string, rest = '') =>
  `default_adapter: gpt\nadapters:\n  gpt: { type: openai, base_url: "${url}", api_key_env: KEY }\n${rest}`;
const run = (project: ProjectFixture, args: string[] = []) =>
  runProgram(['run', '-n', '20', '--concurrency', '4', '--json', ...args], { cwd: project.root, env: { KEY: 'key' } });

test.each([
  ['a wrong key', 401, {}, 'refused the key'],
  ['a key without rights', 403, {}, 'refused the key'],
  ['an unknown model', 404, {}, 'does not know the model'],
  ['a wait of hours', 429, { 'retry-after': '10000' }, 'It asks to wait 10000 s'],
])('%s stops the run after the requests that were under way', async (_, status, headers, words) => {
  await using provider = await startProvider(() => ({ status, headers }));
  await using project = await projectFixture({
    'salvo.yaml': salvoYaml(provider.url),
    'scenarios/a.yaml': scenario('a', 'm'),
    'scenarios/b.yaml': scenario('b', 'm'),
  });
  const result = await run(project);
  expect(result.code).toBe(3);
  const { scenarios } = documentOf(result);
  expect(scenarios).toMatchObject([
    { stopped: 'provider', verdict: 'UNSCORED', trials_scored: 0 },
    { stopped: 'provider', verdict: 'UNSCORED', trials_scored: 0 },
  ]);
  for (const each of scenarios) expect(each.stop_error?.message).toContain(words);
  expect(provider.requests()).toBeGreaterThan(0);
  expect(provider.requests()).toBeLessThanOrEqual(4);
});

test.each([
  ['a host without an address', 'http://no-such-host.invalid/v1', 'ENOTFOUND', 0],
  ['a port where nothing listens', 'http://127.0.0.1:1/v1', 'failed', 2],
])('%s stops the run after at most two retries', async (_, url, words, retries) => {
  await using project = await projectFixture({ 'salvo.yaml': salvoYaml(url), 'scenarios/a.yaml': scenario('a', 'm') });
  const result = await run(project);
  expect(result.code).toBe(3);
  const [a] = documentOf(result).scenarios;
  expect(a).toMatchObject({ stopped: 'provider', trials_scored: 0 });
  expect(a?.trials_total).toBeLessThanOrEqual(4);
  expect(a?.stop_error?.message).toContain(words);
  expect(a?.retries).toBeLessThanOrEqual(4 * retries);
});

test('only the scenarios stop whose model cannot be called', async () => {
  await using provider = await startProvider((model) =>
    model === 'm' ? { status: 200, text: 'ok' } : { status: 404 },
  );
  await using project = await projectFixture({
    'salvo.yaml': salvoYaml(provider.url),
    'scenarios/a.yaml': scenario('a', 'wrong'),
    'scenarios/b.yaml': scenario('b', 'm'),
  });
  const result = await run(project);
  expect(result.code).toBe(3);
  expect(documentOf(result).scenarios).toMatchObject([
    { stopped: 'provider', verdict: 'UNSCORED' },
    { stopped: null, verdict: 'PASS', trials_passed: 20 },
  ]);
});

test('a judge that cannot be called stops the scenarios that it judges, and their agents', async () => {
  await using provider = await startProvider((model) =>
    model === 'm' ? { status: 200, text: 'ok' } : { status: 401 },
  );
  await using project = await projectFixture({
    'salvo.yaml': salvoYaml(provider.url, 'judge: { adapter: gpt, model: judge }\n'),
    'scenarios/a.yaml': scenario('a', 'm', judged),
    'scenarios/b.yaml': scenario('b', 'm'),
  });
  const result = await run(project);
  expect(result.code).toBe(3);
  const [a, b] = documentOf(result).scenarios;
  expect(a).toMatchObject({ stopped: 'provider', verdict: 'UNSCORED' });
  expect(a?.trials_total).toBeLessThanOrEqual(8);
  expect(b).toMatchObject({ stopped: null, verdict: 'PASS', trials_passed: 20 });
});

test('one refusal among answers is an accident: the run goes on', async () => {
  await using provider = await startProvider((_, request) =>
    request === 6 ? { status: 401 } : { status: 200, text: 'ok' },
  );
  await using project = await projectFixture({
    'salvo.yaml': salvoYaml(provider.url),
    'scenarios/a.yaml': scenario('a', 'm'),
  });
  expect(documentOf(await run(project, ['--concurrency', '1'])).scenarios).toMatchObject([
    { stopped: null, trials_passed: 19, trials_unscored: 1 },
  ]);
});

test('a module with a syntax error is found before the first trial', async () => {
  await using project = await projectFixture({
    'agent.mjs': 'export default async function agent( {',
    'scenarios/a.yaml': scenario('a', 'm'),
  });
  const { code, stderr } = await run(project, ['--adapter', './agent.mjs']);
  expect(code).toBe(4);
  expect(stderr).toContain('agent.mjs');
});
