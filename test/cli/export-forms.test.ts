import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { salvoTraceOfSpans } from '../../packages/salvo/src/imports/formats/salvo-otel.ts';
import { otlpSpans } from '../../packages/salvo/src/trace/forms/recorded/otel-spans.ts';
import { startLoopback } from '../loopback/loopback-server.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

const FILES = {
  'salvo.yaml': 'default_adapter: scripted\n',
  'order/late ..yaml': `
name: "../late order"
prompt: Where is my order?
tools:
  - name: lookup
    description: Finds an order.
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    mock_response: { status: shipped }
assertions:
  - { type: tool_called, tool: lookup, arguments: { id: A-1 } }
  - { type: output_contains, value: arrived }
script:
  - tool_calls: [{ name: lookup, arguments: { id: A-1 } }]
  - content: Your order has been shipped.
`,
};

let project: ProjectFixture;
beforeAll(async () => {
  project = await projectFixture(FILES);
  await runCli(['run', 'order', '-n', '3', '--quiet'], { cwd: project.root });
});
afterAll(async () => await project[Symbol.asyncDispose]());

const run = (args: string[], env: Record<string, string> = {}) =>
  runCli(['export', ...args], { cwd: project.root, env });

function lines(text: string) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const ours = async () => lines((await run([])).stdout);

describe('salvo export', () => {
  test('--otel: spans on standard output from which each trace comes back, times included', async () => {
    const { code, stdout, stderr } = await run(['--otel']);
    expect([code, stderr]).toEqual([0, '']);
    const traces = lines(stdout).map((line) => salvoTraceOfSpans(otlpSpans(line)));
    expect(traces).toHaveLength(3);
    expect(traces).toEqual((await ours()).map(({ trace }) => trace));
    const [{ resourceSpans }] = lines(stdout);
    const names = resourceSpans[0].scopeSpans[0].spans.map(({ name }: { name: string }) => name.split(' ')[0]);
    expect(names).toEqual(['invoke_agent', 'chat', 'chat', 'execute_tool']);
  });

  test('--otel: an import of the spans changes nothing but where the trace is from', async () => {
    await run(['--otel', 'spans.jsonl']);
    const before = (await ours()).map(({ trace }) => trace);
    await using other = await projectFixture({ 'salvo.yaml': 'default_adapter: scripted\n' });
    const file = project.path('spans.jsonl');
    expect((await runCli(['import', file, '--strict'], { cwd: other.root })).code).toBe(0);
    const { stdout } = await runCli(['export'], { cwd: other.root });
    const after = lines(stdout).map(({ trace: { imported: _, ...trace } }) => trace);
    expect(after).toEqual(before);
  });

  test('--openai: a file that is written whole, and a list of what it cannot carry', async () => {
    const { code, stdout, stderr } = await run(['latest', '--openai', 'out/tuning.jsonl']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^out\/tuning\.jsonl: 3 trials\.\nOpenAI's messages cannot carry these fields:\n/);
    expect(stderr).toContain('  tools_seen: 3 trials\n');
    expect(await readdir(project.path('out'))).toEqual(['tuning.jsonl']);
    const [first] = lines(await readFile(project.path('out/tuning.jsonl'), 'utf8'));
    expect(first.messages.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(first.tools[0].function).toMatchObject({ name: 'lookup', description: 'Finds an order.' });
    expect(first.metadata).toMatchObject({ scenario: '../late order', trial: 1, passed: false });
  });

  test('--atif: a folder with a file for each trial, or lines', async () => {
    const { code, stderr } = await run(['--atif', 'atif/all']);
    expect(code).toBe(0);
    expect(stderr).toContain('ATIF cannot carry these fields:');
    const names = await readdir(project.path('atif/all'));
    expect(names).toHaveLength(3);
    for (const name of names) expect(name).toMatch(/^-late-order-1-[123]-\w{6}-[0-9a-f]{8}\.json$/);
    expect(await readdir(project.path('atif'))).toEqual(['all']);
    expect((await run(['--atif', 'atif/all'])).stderr).toContain('the folder is not empty: name a new one');
    expect((await run(['--atif', 'atif/one.json'])).stderr).toContain('JSON lines if the name ends with .jsonl');
    expect((await run(['--atif', 'salvo.yaml/x'])).code).toBe(4);
    await mkdir(project.path('empty'));
    expect((await run(['--atif', 'empty'])).code).toBe(0);
    expect((await run(['--atif', 'lines.jsonl'])).code).toBe(0);
    expect(lines(await readFile(project.path('lines.jsonl'), 'utf8'))).toHaveLength(3);
  });

  test('--langfuse: traces, observations and scores', async () => {
    const { code, stdout } = await run(['--langfuse', '-']);
    expect(code).toBe(0);
    const [{ observations, scores }] = lines(stdout);
    expect(observations.map(({ type }: { type: string }) => type)).toEqual([
      'AGENT',
      'GENERATION',
      'GENERATION',
      'TOOL',
    ]);
    expect(scores).toHaveLength(4);
  });

  test('sends to a server, and says what it sent', async () => {
    const env = { OTEL_EXPORTER_OTLP_HEADERS: 'api-key=sk-0123456789abcdef' };
    await using server = await startLoopback([
      { expect: ({ headers }) => expect(headers['api-key']).toBe('sk-0123456789abcdef'), reply: { json: {} } },
      { reply: { status: 403, json: { message: 'key sk-0123456789abcdef is not allowed' } } },
    ]);
    const sent = await run(['--otel', server.url], env);
    expect([sent.code, sent.stdout, sent.stderr]).toEqual([0, '', '3 trials sent.\n']);
    const refused = await run(['--otel', server.url], env);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('answered with status 403');
    expect(refused.stderr).not.toContain('0123456789abcdef');
  });

  test('keeps an old file if it fails, and takes one form at a time', async () => {
    await writeFile(project.path('old.jsonl'), 'old');
    expect((await run(['unknown-run', '--otel', 'old.jsonl'])).code).toBe(4);
    expect(await readFile(project.path('old.jsonl'), 'utf8')).toBe('old');
    for (const other of [['--openai'], ['-o', 'x'], ['--html', 'x.html'], ['--raw']]) {
      const { code, stderr } = await run(['--otel', 'x', ...other]);
      expect([other, code]).toEqual([other, 4]);
      expect(stderr).toContain('cannot be used with option');
    }
    expect((await run(['--openai', 'https://example.com'])).stderr).toContain('--openai writes a file');
    expect((await run(['--langfuse', 'https://example.com'])).stderr).toContain('LANGFUSE_SECRET_KEY');
  });
});
