import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { AgentFunction, AgentTask } from '../../packages/salvo/src/adapters/agent/agent-function.ts';
import { openProjectStore } from '../../packages/salvo/src/app/project/open-project.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { runScenario } from '../../packages/salvo/src/app/runs/run-scenario.ts';
import type { Trace } from '../../packages/salvo/src/trace/trace.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { JPEG, samplePng } from '../sample-images.ts';

const png = samplePng().toString('base64');
const SCENARIO = `
adapter: scripted
prompt: What did it cost?
files: [receipt.png]
tools: [{ name: zoom, mock_responses: [{ files: [receipt.png] }] }]
script: [{ tool_calls: [{ name: zoom }] }, { content: "49.90" }]
assertions: [{ type: output_contains, value: "49.90" }]
`;

async function project(files: Record<string, string>, settings = ''): Promise<ProjectFixture> {
  const fixture = await projectFixture({ 'salvo.yaml': settings, ...files });
  await fixture.write('receipt.png', samplePng());
  return fixture;
}

async function tracesOf(fixture: ProjectFixture, runId: string): Promise<Trace[]> {
  const store = await openProjectStore(await fixture.project(), { env: {} });
  const traces: Trace[] = [];
  for await (const { trace_id } of store.trials(runId)) {
    const trace = trace_id === null ? null : await store.getTrace(trace_id);
    if (trace) traces.push(trace);
  }
  await store.close();
  return traces;
}

test('the files of a scenario are in its traces, and are stored once', async () => {
  await using fixture = await project({ 'a.yaml': SCENARIO });
  await using finished = await runFiles({ cwd: fixture.root, env: {}, files: ['a.yaml'], trials: 3 });
  expect(finished.run.verdict).toBe('PASS');
  const traces = await tracesOf(fixture, finished.run.run_id);
  const image = { media_type: 'image/png', name: 'receipt.png', bytes: samplePng().length, data: png };
  expect(traces).toHaveLength(3);
  for (const trace of traces) {
    expect(trace.messages).toMatchObject([
      { role: 'user', content: 'What did it cost?', files: [image] },
      { role: 'assistant' },
      { role: 'tool_result', content: '', files: [image] },
      { role: 'assistant', content: '49.90' },
    ]);
    expect(trace.tool_calls_made).toMatchObject([{ result: '[image: receipt.png]' }]);
  }
  using database = new DatabaseSync(fixture.path('.salvo/salvo.db'), { readOnly: true });
  expect(database.prepare('SELECT count(*) AS times FROM blobs WHERE text = ?').get(png)).toEqual({ times: 1 });
});

test('metadata_only keeps what a file is, and not the file', async () => {
  await using fixture = await project({ 'a.yaml': SCENARIO }, 'recording: { mode: metadata_only }\n');
  await using finished = await runFiles({ cwd: fixture.root, env: {}, files: ['a.yaml'], trials: 1 });
  const [trace] = await tracesOf(fixture, finished.run.run_id);
  expect(trace?.messages[0]).toMatchObject({ files: [{ media_type: 'image/png', bytes: samplePng().length }] });
  expect(JSON.stringify(trace)).not.toContain(png.slice(0, 60));
  expect(JSON.stringify(trace)).not.toContain('receipt.png');
});

test('each case has the file of its row', async () => {
  const scenario = `
adapter: ./agent.mjs
data: [{ name: png, image: receipt.png }, { name: jpg, image: other.jpg }]
prompt: What is it?
files: ["{{image}}"]
assertions: [{ type: output_contains, value: "{{name}}" }]
`;
  const agent =
    'export default ({ messages }) => messages[0].files[0].name + " " + messages[0].files[0].media_type.replace("jpeg", "jpg");';
  await using fixture = await project({ 'a.yaml': scenario, 'agent.mjs': agent });
  await fixture.write('other.jpg', JPEG);
  await using finished = await runFiles({ cwd: fixture.root, env: {}, files: ['a.yaml'], trials: 1 });
  expect(finished.run.verdict).toBe('PASS');
});

test('an own agent has the files in its messages, in the form of its SDK and in answers of tools', async () => {
  const tasks: AgentTask[] = [];
  const answers: unknown[] = [];
  const agent: AgentFunction = async (task) => {
    tasks.push(task);
    answers.push(await task.callTool('zoom'));
    return {
      messages: [
        { role: 'user' as const, content: 'Look.' },
        { role: 'assistant' as const, content: 'A kettle.', tool_calls: [] },
      ],
    };
  };
  const image = { base64: png, name: 'x.png' };
  const { trials } = await runScenario({
    scenario: {
      prompt: 'Look.',
      files: [image],
      trials: 1,
      tools: [{ name: 'zoom', mock_responses: [{ respond: 'closer', files: [image] }] }],
      assertions: [{ type: 'output_contains', value: 'kettle' }],
    },
    agent,
  });
  expect(trials.map(({ status }) => status)).toEqual(['passed']);
  const file = { media_type: 'image/png', name: 'x.png', data: png };
  expect(answers).toMatchObject([{ content: 'closer', files: [file] }]);
  const [task] = tasks;
  expect(task?.messages).toMatchObject([{ role: 'user', content: 'Look.', files: [file] }]);
  const text = { text: 'Look.' };
  const url = `data:image/png;base64,${png}`;
  expect({
    'ai-sdk': task?.messagesAs('ai-sdk'),
    responses: task?.messagesAs('responses'),
    agents: task?.messagesAs('openai-agents'),
    langchain: task?.messagesAs('langchain'),
    gemini: task?.messagesAs('gemini'),
    bedrock: JSON.parse(JSON.stringify(task?.messagesAs('bedrock'))),
  }).toMatchObject({
    'ai-sdk': [
      {
        content: [
          { type: 'file', data: png, mediaType: 'image/png', filename: 'x.png' },
          { type: 'text', ...text },
        ],
      },
    ],
    responses: [
      {
        content: [
          { type: 'input_image', image_url: url },
          { type: 'input_text', ...text },
        ],
      },
    ],
    agents: [
      {
        content: [
          { type: 'input_image', image: url },
          { type: 'input_text', ...text },
        ],
      },
    ],
    langchain: [
      {
        content: [
          { type: 'image_url', image_url: { url } },
          { type: 'text', ...text },
        ],
      },
    ],
    gemini: [{ parts: [{ inlineData: { mimeType: 'image/png', data: png } }, text] }],
    bedrock: [{ content: [{ image: { format: 'png', source: { bytes: png } } }, text] }],
  });
});

test.each([
  ['anthropic', '[a.zip]', 'a.zip'],
  ['openai', '[{ url: "https://example.com/a.pdf" }]', 'a.pdf'],
])('%s refuses what it cannot send before the first trial', async (adapter, files, name) => {
  const scenario = `adapter: ${adapter}\nmodel: m\nprompt: hi\nfiles: ${files}\nassertions: [{ type: output_contains, value: x }]\n`;
  await using fixture = await project({ 'a.yaml': scenario, 'a.zip': 'PK' });
  const env = { ANTHROPIC_API_KEY: 'sk-test-1', OPENAI_API_KEY: 'sk-test-2' };
  await expect(runFiles({ cwd: fixture.root, env, files: ['a.yaml'] })).rejects.toMatchObject({
    code: 'ADAPTER_BAD_REQUEST',
    message: expect.stringContaining(name),
  });
});
