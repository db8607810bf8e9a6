import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import type { ReceivedRequest, Reply } from '../loopback/loopback-server.ts';
import { completion, openAiError } from '../loopback/openai-wire.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { salvo } from './cassette-fixture.ts';
import { documentOf } from './cli-fixture.ts';

const SALVO_YAML = `
default_adapter: openai
default_model: agent-model
user: { model: user-model }
prices:
  agent-model: { input_per_million: 1000, output_per_million: 0 }
  user-model: { input_per_million: 100, output_per_million: 0 }
  check-model: { input_per_million: 10, output_per_million: 0 }
`;
const SCENARIO = `
name: cancel
trials: 1
system_prompt: You are an agent. The secret word of the shop is PELICAN.
user:
  goal: Cancel your order.
  facts: { order: W-2231 }
tools:
  - { name: cancel, parameters: { type: object, properties: { id: { type: string } } }, mock_response: { done: HIDDEN } }
assertions:
  - { type: tool_called, tool: cancel, arguments: { id: W-2231 } }
`;

interface Asked {
  model: string;
  messages: { role: string; content: string | null }[];
}

function askedIn({ body }: ReceivedRequest): Asked {
  const { model, messages } = Object(body);
  return { model, messages };
}

/** An agent that asks for the number, cancels and is done. */
function agentReply({ messages }: Asked): Reply {
  if (messages.at(-1)?.role === 'tool') return completion({ content: 'It is cancelled.' });
  if (!messages.some(({ content }) => content?.includes('W-2231'))) return completion({ content: 'Which order?' });
  return completion({ toolCalls: [{ id: 'call_1', name: 'cancel', arguments: '{"id":"W-2231"}' }] });
}

const SAID = ['I want to cancel my order.', 'It is W-2231.', '###STOP###'];

function userReply({ messages }: Asked, said: readonly string[] = SAID): Reply {
  return completion({ content: said[messages.filter(({ role }) => role === 'assistant').length] ?? '###STOP###' });
}

/** A server for both models. It keeps what the model that plays the user was asked. */
async function startModels(user: (asked: Asked, number: number) => Reply = (asked) => userReply(asked)) {
  const asked: Asked[] = [];
  const server = await startAnsweringServer((request) => {
    const question = askedIn(request);
    if (question.model === 'agent-model') return agentReply(question);
    asked.push(question);
    return user(question, asked.length);
  });
  return { ...server, asked };
}

function project(scenario = SCENARIO): Promise<ProjectFixture> {
  return projectFixture({ 'salvo.yaml': SALVO_YAML, 's.yaml': scenario });
}

const RUN = ['run', 's.yaml', '--json', '--retries', '0'];

test('the model sees its goal, its facts and what was said, and nothing else', async () => {
  await using server = await startModels();
  await using folder = await project();
  expect((await salvo(folder, server, RUN)).code).toBe(0);
  const last = server.asked.at(-1)?.messages ?? [];
  expect(last.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user']);
  expect(last[0]?.content).toContain('Cancel your order.');
  expect(last[0]?.content).toContain('- order: W-2231');
  expect(last[3]?.content).toMatch(/^<<<BEGIN MATERIAL \w+: agent>>>\nWhich order\?\n<<<END MATERIAL \w+: agent>>>$/);
  expect(JSON.stringify(last)).not.toMatch(/PELICAN|HIDDEN|call_1/);
});

test('the trace has who wrote what, how the conversation ended, and the cost of the user apart', async () => {
  await using server = await startModels();
  await using folder = await project();
  const { scenarios } = documentOf(await salvo(folder, server, RUN));
  expect(scenarios[0]).toMatchObject({
    cost_total_usd: expect.closeTo(0.03, 9),
    user_cost_usd: expect.closeTo(0.003, 9),
  });
  const { stdout } = await salvo(folder, server, ['replay', 'cancel', '1', '--json']);
  const trace = JSON.parse(stdout);
  expect(trace.conversation_end).toEqual({ by: 'user', messages: 2 });
  expect(trace.simulated_user).toMatchObject({ model: 'user-model', provider: 'openai', messages: 2, cached: 0 });
  const users = trace.messages.filter(({ role }: { role: string }) => role === 'user');
  expect(users).toEqual(SAID.slice(0, 2).map((content) => ({ role: 'user', content, simulated: true })));
});

test('messages that were paid for are not paid for again, unless the cache is ignored', async () => {
  await using server = await startModels();
  await using folder = await project();
  const paid = documentOf(await salvo(folder, server, RUN)).scenarios[0];
  const again = documentOf(await salvo(folder, server, RUN)).scenarios[0];
  expect(again).toMatchObject({ verdict: 'PASS', simulated_users: { trials: 1, broke_role: 0 } });
  expect(again).not.toHaveProperty('user_cost_usd');
  expect(server.asked).toHaveLength(3);
  const anew = documentOf(await salvo(folder, server, [...RUN, '--no-judge-cache'])).scenarios[0];
  expect(anew?.user_cost_usd).toBe(paid?.user_cost_usd);
  expect(server.asked).toHaveLength(6);
});

test('a message that breaks the role is not cached', async () => {
  await using server = await startModels((asked, number) =>
    userReply(asked, number < 3 ? ['Hi.', 'It is ORD-99871.'] : SAID),
  );
  await using folder = await project();
  const first = documentOf(await salvo(folder, server, RUN));
  expect(first.scenarios[0]?.simulated_users).toMatchObject({ broke_role: 1, kinds: { unknown_fact: 1 } });
  const resumed = await salvo(folder, server, ['run', '--resume', 'latest', '--json']);
  expect(documentOf(resumed).scenarios[0]).toMatchObject({ verdict: 'PASS', simulated_users: { broke_role: 0 } });
});

test('a budget counts the user, and stops before more is spent', async () => {
  await using server = await startModels();
  await using folder = await project(SCENARIO.replace('trials: 1', 'trials: 20'));
  const { scenarios } = documentOf(await salvo(folder, server, [...RUN, '--budget-usd', '0.1', '-c', '1']));
  const { cost_total_usd, user_cost_usd, stopped } = scenarios[0] ?? {};
  expect(stopped).toBe('budget');
  expect((cost_total_usd ?? 0) + (user_cost_usd ?? 0)).toBeLessThanOrEqual(0.1);
  expect(user_cost_usd).toBeGreaterThan(0);
});

test('a budget is refused while the price of the user is unknown', async () => {
  await using server = await startModels();
  await using folder = await project();
  const run = await salvo(folder, server, [...RUN, '--user', 'nobody-knows', '--budget-usd', '1']);
  expect(run.code).toBe(4);
  expect(run.stderr).toContain('nobody-knows');
});

test('a run on a cassette is replayed without servers, with the same conversation and costs', async () => {
  const recording = [...RUN, '--model-cassette', 'c.jsonl'];
  await using folder = await project();
  const first = await (async () => {
    await using server = await startModels();
    return documentOf(await salvo(folder, server, recording)).scenarios[0];
  })();
  expect(await readFile(folder.path('c.jsonl'), 'utf8')).toContain('"user":{"adapter":"openai","model":"user-model"}');
  const again = documentOf(await salvo(folder, null, recording)).scenarios[0];
  expect(again).toMatchObject({ verdict: 'PASS', user_cost_usd: first?.user_cost_usd });
  const other = await salvo(folder, null, [...recording, '--user', 'another']);
  const [trial] = documentOf(other).scenarios[0]?.trials ?? [];
  expect(trial).toMatchObject({ status: 'unscored', error_code: 'ADAPTER_NOT_RECORDED' });
  expect(trial?.error_message).toContain('the simulated user openai another');
});

describe('a model that does not answer leaves the trial unscored, and does not count as the agent', () => {
  test.each([
    ['fails', () => openAiError(500, { message: 'down' }), /the simulated user could not be asked: .*down/],
    ['says nothing', () => completion({ content: '' }), /wrote no message/],
    ['refuses', () => completion({ refusal: 'I cannot do that.' }), /wrote no message/],
    [
      'calls a tool',
      () => completion({ toolCalls: [{ id: 'c', name: 'cancel', arguments: '{}' }] }),
      /wrote no message \(it called the tool cancel, and has none\)/,
    ],
    ['writes a book', () => completion({ content: 'word '.repeat(210_000) }), /wrote 1,049,999 characters/],
  ])('it %s', async (_, reply, message) => {
    await using server = await startModels(reply);
    await using folder = await project();
    const run = await salvo(folder, server, RUN);
    expect(run.code).toBe(3);
    const [trial] = documentOf(run).scenarios[0]?.trials ?? [];
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'USER_FAILED' });
    expect(trial?.error_message).toMatch(message);
  });
});

test('a model that hangs is given up after its time, and what was said until then is kept', async () => {
  await using server = await startModels((asked, number) => (number === 1 ? userReply(asked) : 'hang'));
  await using folder = await projectFixture({
    'salvo.yaml': SALVO_YAML.replace('model: user-model }', 'model: user-model, timeout_seconds: 1 }'),
    's.yaml': SCENARIO,
  });
  const run = await salvo(folder, server, RUN);
  expect(run.code).toBe(3);
  const [trial] = documentOf(run).scenarios[0]?.trials ?? [];
  expect(trial).toMatchObject({ status: 'unscored', error_code: 'USER_FAILED', user_cost_usd: null });
  expect(trial?.error_message).toContain('user-model gave no answer within 1 s');
  const { stdout } = await salvo(folder, server, ['replay', 'cancel', '1', '--json']);
  expect(JSON.parse(stdout).messages.map(({ content }: { content: string }) => content)).toEqual([
    ...[expect.stringContaining('PELICAN'), SAID[0], 'Which order?'],
  ]);
});

describe('a check by a model', () => {
  const checked = SCENARIO.replace('  goal:', '  check: { model: check-model }\n  goal:');
  const verdict = (kept: boolean) =>
    completion({
      toolCalls: [{ id: 'c', name: 'report_role', arguments: JSON.stringify({ kept, why: 'it wants two refunds' }) }],
    });

  test('reads each message, and its cost is part of the cost of the user', async () => {
    await using server = await startModels((asked) =>
      asked.model === 'check-model' ? verdict(true) : userReply(asked),
    );
    await using folder = await project(checked);
    const { scenarios } = documentOf(await salvo(folder, server, RUN));
    expect(server.asked.map(({ model }) => model)).toEqual([
      ...['user-model', 'check-model', 'user-model', 'check-model', 'user-model'],
    ]);
    expect(scenarios[0]).toMatchObject({ verdict: 'PASS', user_cost_usd: expect.closeTo(0.0032, 9) });
  });

  test('can find a break that the rules do not', async () => {
    await using server = await startModels((asked) =>
      asked.model === 'check-model' ? verdict(false) : userReply(asked),
    );
    await using folder = await project(checked);
    const [trial] = documentOf(await salvo(folder, server, RUN)).scenarios[0]?.trials ?? [];
    expect(trial).toMatchObject({ status: 'unscored', simulated_user: { broke_role: 'by_model' } });
    expect(trial?.error_message).toContain('it wants two refunds');
  });

  test('that cannot be read leaves the trial unscored', async () => {
    await using server = await startModels((asked) =>
      asked.model === 'check-model' ? completion({ content: 'fine' }) : userReply(asked),
    );
    await using folder = await project(checked);
    const [trial] = documentOf(await salvo(folder, server, RUN)).scenarios[0]?.trials ?? [];
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'USER_FAILED' });
  });
});
