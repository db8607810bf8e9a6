import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Trace } from '../../packages/salvo/src/trace/trace.ts';
import { startLoopback } from '../loopback/loopback-server.ts';
import { completion, openAiError } from '../loopback/openai-wire.ts';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { done, sampleScenario } from './sample-scenario.ts';

const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' }, mock_response: 'ok' }];

test('a request that failed for the moment is sent again, and each retry is in the trace with its reason', async () => {
  const script = [
    { error: { status: 429, message: 'slow down' } },
    { tool_calls: [{ name: 'look', arguments: {} }] },
    { error: { status: 529, message: 'overloaded' } },
    done(),
  ];
  await using project = await projectFixture({ 's.yaml': sampleScenario({ script, tools }) });
  const run = await runCli(['run', 's.yaml', '-n', '1', '--json'], { cwd: project.root });
  expect(documentOf(run)).toMatchObject({
    verdict: 'PASS',
    scenarios: [{ retries: 2, trials: [{ retries: 2, error_message: null }] }],
  });
  const replayed = await runCli(['replay', '--json'], { cwd: project.root });
  const trace: Trace = JSON.parse(replayed.stdout);
  expect(trace.retries).toMatchObject([
    { turn: 1, attempt: 1, status: 429, reason: 'slow down' },
    { turn: 2, attempt: 1, status: 529, reason: 'overloaded' },
  ]);
  // The request was repeated, not the conversation: each tool call was made once.
  expect(trace.tool_calls_made).toHaveLength(1);
});

test('--retries 0 sends nothing again', async () => {
  const script = [{ error: { status: 529, message: 'overloaded' } }, done()];
  await using project = await projectFixture({ 's.yaml': sampleScenario({ script }) });
  const run = await runCli(['run', 's.yaml', '-n', '1', '--retries', '0', '--json'], { cwd: project.root });
  expect(documentOf(run)).toMatchObject({
    exit_code: 3,
    scenarios: [{ retries: 0, errors: [{ message: 'overloaded', count: 1 }] }],
  });
});

test('what Retry-After says is waited for', async () => {
  await using server = await startLoopback([
    { reply: openAiError(429, { message: 'slow down', headers: { 'retry-after': '0.25' } }) },
    { reply: completion({ content: 'Done.' }) },
  ]);
  await using project = await projectFixture({
    'salvo.yaml': `adapters: { local: { type: openai, base_url: "${server.url}/v1" } }`,
    's.yaml': sampleScenario({ adapter: 'local', model: 'gpt-4o', script: undefined }),
  });
  const run = await runCli(['run', 's.yaml', '-n', '1', '--json'], { cwd: project.root });
  expect(documentOf(run)).toMatchObject({ verdict: 'PASS' });
  const { stdout } = await runCli(['replay', '--json'], { cwd: project.root });
  expect(JSON.parse(stdout)).toMatchObject({ retries: [{ turn: 1, attempt: 1, status: 429, delay_seconds: 0.25 }] });
});

test('max_concurrency of an adapter holds over all scenarios, whatever the concurrency of the run', async () => {
  let open = 0;
  let most = 0;
  const three = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    open += 1;
    most = Math.max(most, open);
    request.resume();
    if (open === 3) three.resolve();
    await three.promise;
    // Time for a request too many to come, if there is one.
    await sleep(40);
    open -= 1;
    response.end(JSON.stringify({ content: 'Done.' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const scenario = (name: string) => sampleScenario({ name, adapter: 'agent', script: undefined });
  await using project = await projectFixture({
    'salvo.yaml': `adapters: { agent: { type: http, url: "http://127.0.0.1:${port}", max_concurrency: 3 } }`,
    'a.yaml': scenario('a'),
    'b.yaml': scenario('b'),
  });
  const run = await runCli(['run', '.', '-n', '10', '--concurrency', '16', '--json'], { cwd: project.root });
  server.close();
  expect(documentOf(run)).toMatchObject({ verdict: 'PASS', scenarios: [{ trials_total: 10 }, { trials_total: 10 }] });
  expect(most).toBe(3);
});
