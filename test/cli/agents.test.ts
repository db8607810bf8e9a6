import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startLoopback } from '../loopback/loopback-server.ts';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli, runProgram } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** An agent that has to look an order up before it answers. */
const task = {
  script: undefined,
  prompt: 'Where is order A-1?',
  tools: [
    {
      name: 'lookup',
      description: 'Looks an order up.',
      parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      mock_response: { place: 'Bonn' },
    },
  ],
  assertions: [
    { type: 'tool_called', tool: 'lookup', arguments: { id: 'A-1' }, times: 1 },
    { type: 'output_contains', value: 'Bonn' },
    { path: 'metadata.turn_count', eq: 2 },
  ],
};
const call = { name: 'lookup', arguments: { id: 'A-1' } };

describe('a whole agent', () => {
  test('that is a module calls the mocked tools itself', async () => {
    await using project = await projectFixture({
      'agent.ts': `
        interface Task { callTool(name: string, args: object): Promise<{ content: string }> }
        export default async function agent({ callTool }: Task): Promise<string> {
          const order: unknown = JSON.parse((await callTool('lookup', { id: 'A-1' })).content);
          return 'It is in ' + (order as { place: string }).place;
        }`,
      's.yaml': sampleScenario({ ...task, adapter: './agent.ts' }),
    });
    expect(documentOf(await runCli(['run', 's.yaml', '--json', '-n', '1'], { cwd: project.root })).verdict).toBe(
      'PASS',
    );
  });

  test('that is a module beside an included file is found there, and so is a check', async () => {
    await using project = await projectFixture({
      'salvo.yaml': '',
      'shared/agent.mjs': 'export default () => "It is in Bonn.";',
      'shared/polite.mjs': 'export default ({ final_content }) => final_content.endsWith(".");',
      'shared/_agent.yaml':
        'adapter: ./agent.mjs\nassertions: [{type: custom, module: ./polite.mjs, required: true}]\n',
      'tests/deep/s.yaml': '<<: !include ../../shared/_agent.yaml\nprompt: Where is it?\n',
    });
    const fromBelow = { cwd: project.path('tests/deep') };
    expect(documentOf(await runCli(['run', 's.yaml', '--json', '-n', '1'], fromBelow)).verdict).toBe('PASS');
  });

  test('that is a program answers turn by turn, with its tool calls answered by the mocks', async () => {
    await using project = await projectFixture({
      'agent.mjs': `
        import { text } from 'node:stream/consumers';
        const { messages } = JSON.parse(await text(process.stdin));
        const result = messages.findLast(({ role }) => role === 'tool_result');
        console.log(JSON.stringify(result
          ? { content: 'It is in ' + JSON.parse(result.content).place }
          : { content: null, tool_calls: [${JSON.stringify(call)}] }));`,
      's.yaml': sampleScenario({ ...task, adapter: 'exec:node agent.mjs' }),
    });
    expect(documentOf(await runCli(['run', 's.yaml', '--json', '-n', '1'], { cwd: project.root })).verdict).toBe(
      'PASS',
    );
  });

  test('that is a program may also hand over the trace of all it did', async () => {
    const messages = [
      { role: 'user', content: 'Where is order A-1?' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', ...call }] },
      { role: 'tool_result', tool_call_id: 'c1', name: 'lookup', content: 'Bonn' },
      { role: 'assistant', content: 'It is in Bonn.' },
    ];
    const trace = { messages, cost_usd: 0.5, input_tokens: 7, output_tokens: 3 };
    await using project = await projectFixture({
      'agent.mjs': `console.log(${JSON.stringify(JSON.stringify(trace))})`,
      's.yaml': sampleScenario({ ...task, adapter: 'exec:node agent.mjs' }),
    });
    const bypassed = await runCli(['run', 's.yaml', '--json', '-n', '2'], { cwd: project.root });
    expect(bypassed.code).toBe(3);
    expect(documentOf(bypassed).scenarios[0]?.errors).toMatchObject([{ code: 'MOCK_BYPASSED', count: 2 }]);
    // The trace is stored, so that it can be judged by a scenario that allows it.
    await writeFile(
      join(project.root, 's.yaml'),
      sampleScenario({ ...task, adapter: 'exec:node agent.mjs', own_tools: 'allow' }),
    );
    const allowed = await runCli(['reeval', 'latest', '--json'], { cwd: project.root });
    expect(allowed.code).toBe(0);
    const run = await runCli(['run', 's.yaml', '--json', '-n', '2'], { cwd: project.root });
    expect(documentOf(run)).toMatchObject({ verdict: 'PASS', scenarios: [{ cost_total_usd: 1 }] });
    const replayed = await runCli(['replay'], { cwd: project.root });
    expect(replayed.stdout).toContain('lookup');
    expect(replayed.stdout).toContain('reported, not by the mock');
    expect(replayed.stdout).toContain('It is in Bonn.');
  });

  test('that is a server is asked again with the results of its tool calls', async () => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    await using server = await startLoopback([
      { reply: { json: { content: null, tool_calls: [call], usage } } },
      {
        expect: ({ body }) =>
          expect(body).toMatchObject({ messages: [{}, { tool_calls: [call] }, { content: '{"place":"Bonn"}' }] }),
        reply: { json: { content: 'It is in Bonn.', usage } },
      },
    ]);
    await using project = await projectFixture({ 's.yaml': sampleScenario({ ...task, adapter: server.url }) });
    const run = await runCli(['run', 's.yaml', '--json', '-n', '1'], { cwd: project.root });
    expect(documentOf(run).verdict).toBe('PASS');
  });
});

describe('an agent that returns only a text', () => {
  const files = (settings: object) => ({
    'salvo.yaml': JSON.stringify(settings),
    'agent.mjs': "export default () => 'It is in Bonn.';",
    's.yaml': sampleScenario({
      adapter: 'mine',
      script: undefined,
      assertions: [{ type: 'tool_not_called', tool: 'refund' }],
    }),
  });
  const mine = { type: 'module', path: 'agent.mjs' };

  test('is told at once, and once, the line to add', async () => {
    await using project = await projectFixture(files({ adapters: { mine } }));
    const run = await runCli(['run', 's.yaml', '-n', '3'], { cwd: project.root });
    expect(run.code).toBe(3);
    expect(run.stderr.match(/add to the scenario: tools_seen: all/g)).toHaveLength(1);
    expect(run.stdout).toContain('tools_seen: all');
  });

  test.each([
    ['its entry in salvo.yaml', { adapters: { mine: { ...mine, tools_seen: 'all' } } }],
    ['defaults', { adapters: { mine }, defaults: { tools_seen: 'all' } }],
  ])('is scored if %s declares its calls, and every report says so', async (_, settings) => {
    await using project = await projectFixture(files(settings));
    const markdown = join(project.root, 'report.md');
    const run = await runCli(['run', 's.yaml', '-n', '2', '--markdown', markdown], { cwd: project.root });
    expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining('tools_seen') });
    expect(run.stdout).toContain('Declared: in sample, verdicts on tools rest on tools_seen: all.');
    expect(await readFile(markdown, 'utf8')).toContain('Declared: in sample');
    const report = await runCli(['report', '--json'], { cwd: project.root });
    expect(documentOf(report).scenarios[0]).toMatchObject({
      trials_declared: 2,
      trials: [{ tools_seen: 'reported', tools_declared: true }, {}],
    });
    const replayed = await runCli(['replay', 'sample', '1'], { cwd: project.root });
    expect(replayed.stdout).toMatch(/tool_not_called.* {2}declared/);
  });
});

describe('an agent that breaks down', () => {
  test('as a module that throws has crashed, with the place, and others are not affected', async () => {
    await using project = await projectFixture({
      'agent.mjs': 'export default async () => {\n  throw new Error("no battery");\n};',
      'a.yaml': sampleScenario({ name: 'broken', adapter: './agent.mjs', script: undefined }),
      'b.yaml': sampleScenario({ name: 'fine' }),
    });
    const run = await runCli(['run', '.', '--json', '-n', '2'], { cwd: project.root });
    expect(run.code).toBe(1);
    const error_stack = expect.stringContaining('agent.mjs:2:9');
    const crashed = {
      status: 'crashed',
      passed: false,
      error_message: expect.stringContaining('no battery'),
      error_stack,
    };
    expect(documentOf(run).scenarios).toMatchObject([
      { verdict: 'FAIL', trials_crashed: 2, pass_rate: 0, trials: [crashed, crashed] },
      { verdict: 'PASS', trials_passed: 2 },
    ]);
    const shown = await runCli(['report'], { cwd: project.root });
    const replayed = await runCli(['replay', 'broken', '2'], { cwd: project.root });
    for (const { stdout } of [shown, replayed]) expect(stdout).toContain('agent.mjs:2:9');
    expect(shown.stdout).not.toContain('rovider');
  });

  test('as a program that exits with 1 has crashed, with what it wrote to standard error', async () => {
    await using project = await projectFixture({
      'agent.mjs': 'console.error("disk full"); process.exit(1)',
      's.yaml': sampleScenario({ adapter: 'exec:node agent.mjs', script: undefined }),
    });
    const run = await runCli(['run', 's.yaml', '--json', '-n', '1'], { cwd: project.root });
    expect(run.code).toBe(1);
    expect(documentOf(run).scenarios[0]?.trials[0]).toMatchObject({ status: 'crashed' });
    expect((await runCli(['replay'], { cwd: project.root })).stdout).toContain('disk full');
  });

  test.each([
    ['returns something unusable', 30, 'return 42', 'cannot be used'],
    [
      'hangs and ignores its signal',
      0.4,
      'return new Promise((resolve) => setTimeout(resolve, 600_000))',
      'no end after 0.4 s',
    ],
  ])('as a module that %s is not scored, and others are not affected', async (_, timeout_seconds, code, words) => {
    await using project = await projectFixture({
      'agent.mjs': `export default async () => { ${code} }`,
      'a.yaml': sampleScenario({ name: 'broken', adapter: './agent.mjs', script: undefined, timeout_seconds }),
      'b.yaml': sampleScenario({ name: 'fine' }),
    });
    const run = await runCli(['run', '.', '--json', '-n', '2'], { cwd: project.root });
    expect(run.code).toBe(3);
    expect(documentOf(run).scenarios).toMatchObject([
      { verdict: 'UNSCORED', trials_unscored: 2, errors: [{ message: expect.stringContaining(words), count: 2 }] },
      { verdict: 'PASS', trials_passed: 2 },
    ]);
  });

  test.each([
    ['prints no JSON', 30, 'console.log("Starting up...")', 'Starting up'],
    ['prints nothing', 30, '', 'nothing'],
    ['hangs', 0.4, 'setInterval(() => {}, 1000)', 'no end after 0.4 s'],
  ])('as a program that %s is not scored', async (_, timeout_seconds, code, words) => {
    await using project = await projectFixture({
      'agent.mjs': code,
      's.yaml': sampleScenario({ adapter: 'exec:node agent.mjs', script: undefined, timeout_seconds }),
    });
    const run = await runCli(['run', 's.yaml', '--json', '-n', '1'], { cwd: project.root });
    expect(run.code).toBe(3);
    expect(documentOf(run).scenarios[0]?.trials[0]?.error_message).toContain(words);
  });
});

describe('an agent in a module', () => {
  const files = (code: string) => ({
    'agent.mjs': `export default async () => { ${code} }`,
    's.yaml': sampleScenario({ adapter: './agent.mjs', script: undefined }),
  });

  const traceOf = async (root: string): Promise<unknown> =>
    JSON.parse((await runCli(['replay', '--json'], { cwd: root })).stdout);

  test.each([
    ['ends the process with 0', 'process.exit(0)', 'The process was ended by code that runs in it'],
    [
      'throws where it cannot be caught',
      'setImmediate(() => { throw new Error("loose end") }); await new Promise(() => {})',
      'Uncaught error: Error: loose end\n    at Immediate.<anonymous> (agent.mjs:1:',
    ],
  ])('that %s in the process of Salvo does not give a verdict by that', async (_, code, words) => {
    await using project = await projectFixture({
      ...files(code),
      'salvo.yaml': 'adapters: { mine: { type: module, path: agent.mjs, isolate: false } }',
      's.yaml': sampleScenario({ adapter: 'mine', script: undefined }),
    });
    const { code: exitCode, stdout, stderr } = await runProgram(['run', 's.yaml'], { cwd: project.root });
    expect(exitCode).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain('--resume latest');
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^\s+at .*(?:node:|src\/)/m);
  });

  test.each([
    ['ends its process with 0', 'process.exit(0)', 'ended with exit code 0'],
    [
      'throws where it cannot be caught',
      'setImmediate(() => { throw new Error("loose end") }); await new Promise(() => {})',
      'threw an error: loose end',
    ],
  ])('that %s crashed, and the run has its report', async (_, code, words) => {
    await using project = await projectFixture(files(code));
    const run = await runCli(['run', 's.yaml', '-n', '2', '--json'], { cwd: project.root });
    expect(run.code).toBe(1);
    expect(documentOf(run).scenarios[0]?.trials).toMatchObject(
      [1, 2].map(() => ({
        status: 'crashed',
        error_message: expect.stringContaining(words),
        error_stack: expect.stringContaining('agent.mjs:1:'),
      })),
    );
  });

  test('may print as it likes: it is kept with the trial, not shown among the results or the progress', async () => {
    await using project = await projectFixture(
      files('console.log("thinking"); console.table([1]); process.stdout.write("aloud"); return "Done."'),
    );
    const run = await runCli(['run', 's.yaml', '-n', '1', '--json'], { cwd: project.root });
    expect(documentOf(run).verdict).toBe('PASS');
    expect(run.stderr).not.toContain('thinking');
    expect(await traceOf(project.root)).toMatchObject({
      agent_log: expect.stringMatching(/^thinking\n┌[\s\S]*aloud$/),
    });
  });

  test('may print while it is loaded: that is not mixed with the results', async () => {
    await using project = await projectFixture({
      ...files(''),
      'agent.mjs': 'process.stdout.write("loading\\n"); console.log("loaded"); export default () => "Done."',
    });
    const run = await runProgram(['run', 's.yaml', '-n', '1', '--json'], { cwd: project.root });
    expect(documentOf(run).verdict).toBe('PASS');
    expect(run.stderr).toContain('loading\nloaded\n');
  });

  test('that crashed has its stack in the trace', async () => {
    await using project = await projectFixture(files('console.log("so far"); return missing.field'));
    await runCli(['run', 's.yaml', '-n', '1', '--json'], { cwd: project.root });
    expect(await traceOf(project.root)).toMatchObject({
      error: 'The agent of ./agent.mjs threw an error: missing is not defined',
      error_code: 'AGENT_CRASHED',
      error_stack: expect.stringMatching(/^ReferenceError: missing is not defined\n {4}at .*\(agent\.mjs:1:\d+\)/),
      agent_log: 'so far\n',
    });
  });

  test.each([
    ['does not compile', 'export default () => { const a = ; }', '(agent.mjs:1:34): Unexpected token'],
    ['imports what does not exist', 'import "./agent"; export default () => 1', "write './agent.mjs'"],
    ['exports no agent', 'export const a = 1', 'it exports a'],
  ])('that %s is reported once, before anything is stored', async (_, code, words) => {
    await using project = await projectFixture({ ...files(''), 'agent.mjs': code });
    const run = await runCli(['run', 's.yaml', '-n', '5', '--json'], { cwd: project.root });
    expect(run).toMatchObject({ code: 4, stdout: '' });
    expect(run.stderr).toContain(words);
    expect(run.stderr.split(words)).toHaveLength(2);
    expect((await runCli(['report'], { cwd: project.root })).code).toBe(4);
  });

  test('knows its run, its scenario and its trial, and has a conversation for each trial', async () => {
    await using project = await projectFixture({
      ...files(''),
      'agent.mjs':
        'export default ({ runId, scenario, trialNumber, conversation }) => ["Done.", runId, scenario, trialNumber, conversation].join(" ")',
    });
    const run = documentOf(await runCli(['run', 's.yaml', '-n', '3', '--json'], { cwd: project.root }));
    const { stdout } = await runCli(['export'], { cwd: project.root });
    const answers = stdout.match(/Done\. [^"]+/g) ?? [];
    expect(answers.length).toBeGreaterThanOrEqual(3);
    const words = [...new Set(answers)].map((answer) => answer.split(' '));
    expect(words.map(([, id, , trial]) => [id, trial]).sort()).toEqual(
      [1, 2, 3].map((trial) => [run.run_id, `${trial}`]),
    );
    expect(new Set(words.map((each) => each.at(-1))).size).toBe(3);
  });

  test('that does not await a promise that fails is judged by its answer', async () => {
    await using project = await projectFixture(files('Promise.reject(new Error("forgotten")); return "Done."'));
    expect((await runCli(['run', 's.yaml', '-n', '1'], { cwd: project.root })).code).toBe(0);
    expect(await traceOf(project.root)).toMatchObject({
      agent_log: expect.stringMatching(/^Warning: uncaught error: Error: forgotten\n {4}at .*agent\.mjs:1:\d+/),
    });
  });
});
