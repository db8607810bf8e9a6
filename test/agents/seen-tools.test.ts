import { describe, expect, test } from 'vitest';
import type { AgentFunction, AgentReply } from '../../packages/salvo/src/adapters/agent/agent-function.ts';
import { runScenario } from '../../packages/salvo/src/app/runs/run-scenario.ts';
import type { AssertionInput, ScenarioDefinition } from '../../packages/salvo/src/scenario/code/scenario-definition.ts';

const NOT_REFUNDED: AssertionInput = { type: 'tool_not_called', tool: 'issue_refund', required: true };
const REFUNDED: AssertionInput = { type: 'tool_called', tool: 'issue_refund' };

/** The agent's own tool, which is not the scenario's. */
const refunds: unknown[] = [];
const refund = (args: Record<string, unknown>): string => {
  refunds.push(args);
  return 'refunded';
};

const MOCKED: Pick<ScenarioDefinition, 'tools'> = {
  tools: [
    {
      name: 'issue_refund',
      parameters: {
        type: 'object',
        properties: { amount: { type: 'number' } },
        required: ['amount'],
        additionalProperties: false,
      },
      mock_response: 'mocked refund',
    },
  ],
};

function report(call: {
  name?: string;
  args?: Record<string, unknown>;
  result?: string | null;
  is_error?: boolean;
}): AgentReply {
  const { name = 'issue_refund', args = { amount: 49.9 }, result = 'refunded', is_error = false } = call;
  return {
    messages: [
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name, arguments: args }] },
      ...(result === null
        ? []
        : [{ role: 'tool_result' as const, tool_call_id: 'c1', name, content: result, is_error }]),
      { role: 'assistant', content: 'Done.', tool_calls: [] },
    ],
  };
}

async function trialOf(agent: AgentFunction, scenario: Partial<ScenarioDefinition>) {
  const run = await runScenario({
    scenario: { name: 'refund', prompt: 'Refund 49.90.', ...scenario },
    agent,
    trials: 1,
    env: {},
  });
  const [trial] = run.trials;
  if (!trial?.trace) throw new Error('There is no trial.');
  return { ...trial, trace: trial.trace, exitCode: run.exitCode, calls: trial.trace.tool_calls_made };
}

describe('an agent that returns only a text', () => {
  const agent: AgentFunction = () => `It is ${refund({ amount: 49.9 })}.`;

  test.each<[string, AssertionInput]>([
    ['tool_not_called', NOT_REFUNDED],
    ['tool_called', REFUNDED],
    ['tool_sequence', { type: 'tool_sequence', sequence: ['issue_refund'] }],
    ['a path to calls', { path: "tool_calls[?name=='issue_refund']", eq: [] }],
    ['a path to steps', { path: 'metadata.turn_count', lte: 1 }],
    ['a path to tokens', { path: 'metadata.total_tokens', ne: 7 }],
  ])('may have called any tool: %s is not scored', async (_, assertion) => {
    const trial = await trialOf(agent, { assertions: [assertion, { path: 'response.content', contains: 'refunded' }] });
    expect(trial).toMatchObject({ status: 'unscored', exitCode: 3, tools_seen: 'unknown', tools_declared: false });
    expect(trial.eval_results.map(({ status }) => status)).toEqual(['unscored', 'scored']);
  });

  test('says the line to add', async () => {
    const trial = await trialOf(agent, { assertions: [NOT_REFUNDED] });
    expect(trial).toMatchObject({ error_code: 'TOOLS_UNKNOWN' });
    expect(trial.error_message).toContain('add to the scenario: tools_seen: all');
  });

  test('is not scored by a check in code that reads the calls, and is by one that does not', async () => {
    const readsCalls = await trialOf(agent, {
      assertions: [{ id: 'calls', check: ({ trace }) => trace.tool_calls_made.length === 0 }],
    });
    expect(readsCalls).toMatchObject({ status: 'unscored', error_code: 'TOOLS_UNKNOWN' });
    const readsText = await trialOf(agent, {
      assertions: [{ id: 'text', check: ({ output }) => output.includes('refunded') }],
    });
    expect(readsText).toMatchObject({ status: 'passed' });
  });

  test.each<[string, AgentFunction, Partial<ScenarioDefinition>]>([
    ['the agent', () => ({ content: 'No.', tools_seen: 'all' }), {}],
    ['the scenario', () => 'No.', { tools_seen: 'all' }],
  ])('is scored if %s declares that these are all calls, and the verdict is marked', async (_, declaring, scenario) => {
    const trial = await trialOf(declaring, { assertions: [NOT_REFUNDED], ...scenario });
    expect(trial).toMatchObject({ status: 'passed', tools_seen: 'reported', tools_declared: true });
    expect(trial.eval_results[0]).toMatchObject({ metadata: { tools_declared: true } });
    expect(trial.eval_results[0]?.details).toContain('declared by tools_seen: all');
  });

  test('a declaration says nothing about tokens', async () => {
    const tokens: AssertionInput = { path: 'metadata.total_tokens', lt: 1000 };
    expect(await trialOf(() => 'No.', { assertions: [tokens], tools_seen: 'all' })).toMatchObject({
      status: 'unscored',
    });
  });

  test('is seen if it used the mocks in the same trial', async () => {
    const trial = await trialOf(async ({ callTool }) => (await callTool('look_up')).content, {
      tools: [{ name: 'look_up', mock_response: 'found' }],
      assertions: [NOT_REFUNDED],
    });
    expect(trial).toMatchObject({ status: 'passed', tools_seen: 'observed', calls: [{ seen: 'observed' }] });
  });
});

describe('an agent that reports its calls', () => {
  test.each<[string, AgentReply]>([
    ['an empty list of calls', { content: 'No.', tool_calls: [] }],
    ['messages', [{ role: 'assistant', content: 'No.' }]],
  ])('is scored: %s', async (_, reply) => {
    expect(await trialOf(() => reply, { assertions: [NOT_REFUNDED] })).toMatchObject({
      status: 'passed',
      tools_seen: 'reported',
    });
  });

  test('its own tools, which no mock has, are reported', async () => {
    const trial = await trialOf(() => report({}), { assertions: [REFUNDED] });
    expect(trial).toMatchObject({ status: 'passed', tools_seen: 'reported', calls: [{ seen: 'reported' }] });
  });

  test('a tool of an MCP server is forbidden by its own name', async () => {
    const trial = await trialOf(() => report({ name: 'mcp__shop__issue_refund' }), { assertions: [NOT_REFUNDED] });
    expect(trial).toMatchObject({ status: 'hard_fail' });
  });

  test.each<[string, Parameters<typeof report>[0], Partial<ScenarioDefinition>]>([
    ['as the scenario says', { name: 'refund_agent', args: {} }, { tools: [{ name: 'refund_agent', agent: true }] }],
    ['as its arguments say', { name: 'Task', args: { subagent_type: 'refunds' } }, {}],
  ])('a tool that is an agent hides its own calls, %s', async (_, call, scenario) => {
    const trial = await trialOf(() => report(call), { assertions: [NOT_REFUNDED], ...scenario });
    expect(trial).toMatchObject({ status: 'unscored', calls: [{ agent: true }] });
    expect(trial.error_message).toContain(`calls inside of "${call.name}", which is an agent, were not seen`);
    const declared = await trialOf(() => report(call), { assertions: [NOT_REFUNDED], ...scenario, tools_seen: 'all' });
    expect(declared).toMatchObject({ status: 'passed', tools_declared: true });
  });

  test('what was seen beside an agent as a tool still counts', async () => {
    const trial = await trialOf(() => report({ name: 'Task', args: { subagent_type: 'x' } }), {
      assertions: [
        { type: 'tool_called', tool: 'Task' },
        { type: 'tool_not_called', tool: 'Task' },
      ],
    });
    expect(trial.eval_results.map(({ status, passed }) => [status, passed])).toEqual([
      ['scored', true],
      ['scored', false],
    ]);
  });
});

describe('a mock that the agent bypasses', () => {
  test.each(['error', 'fail'] as const)('makes the trial not scored, with on_unmocked: %s', async (on_unmocked) => {
    const trial = await trialOf((task) => report({ result: task && refund({ amount: 49.9 }) }), {
      ...MOCKED,
      on_unmocked,
      assertions: [REFUNDED],
    });
    expect(trial).toMatchObject({ status: 'unscored', exitCode: 3, error_code: 'MOCK_BYPASSED', eval_results: [] });
    expect(trial.error_message).toContain("execute: (args) => callTool('issue_refund', args)");
    expect(trial.error_message).toContain('own_tools: allow');
  });

  test('is allowed by own_tools: allow, and its call is reported', async () => {
    const trial = await trialOf(() => report({}), { ...MOCKED, own_tools: 'allow', assertions: [REFUNDED] });
    expect(trial).toMatchObject({
      status: 'passed',
      tools_seen: 'reported',
      calls: [{ seen: 'reported', bypassed_mock: true }],
    });
  });

  test('is not one if the call came through the mock: both are one call', async () => {
    const agent: AgentFunction = async ({ callTool }) => {
      const { content } = await callTool('issue_refund', { amount: 49.9 });
      return report({ name: 'mcp__shop__issue_refund', result: content });
    };
    const trial = await trialOf(agent, { ...MOCKED, assertions: [{ ...REFUNDED, times: 1 }] });
    expect(trial).toMatchObject({
      status: 'passed',
      tools_seen: 'observed',
      calls: [{ name: 'issue_refund', seen: 'observed', result: 'mocked refund' }],
    });
    expect(trial.calls).toHaveLength(1);
  });

  test.each<[string, Parameters<typeof report>[0]]>([
    ['has no result', { result: null }],
    ['was not approved', { result: 'Tool execution was not approved.' }],
    [
      'was refused for its arguments',
      { args: { amont: 1 }, result: 'Invalid input for tool issue_refund', is_error: true },
    ],
  ])('is not one if the call %s: it was requested', async (_, call) => {
    const trial = await trialOf(() => report(call), { ...MOCKED, assertions: [REFUNDED, NOT_REFUNDED] });
    expect(trial).toMatchObject({ calls: [{ seen: 'requested' }] });
    // It counts neither as executed, nor as never asked for.
    expect(trial.eval_results.map(({ status, passed }) => [status, passed])).toEqual([
      ['scored', false],
      ['scored', false],
    ]);
  });

  test.each<[string, ScenarioDefinition['agent']]>([
    ['the row', ({ row }) => row as AgentReply],
    ['its messages', ({ row }) => ({ messages: row.messages as object[] })],
  ])('is not one if the conversation is imported: the agent returns %s', async (_, agent) => {
    const { messages } = report({}) as { messages: object[] };
    const scenario = {
      name: 'import',
      prompt: 'See it.',
      data: [{ messages }],
      ...MOCKED,
      agent,
      assertions: [REFUNDED],
    };
    const { trials } = await runScenario({ scenario, trials: 1, env: {} });
    expect(trials[0]).toMatchObject({ status: 'passed', tools_seen: 'reported' });
  });

  test('is not one if the call was made before the trial, in the history of the scenario', async () => {
    const args = { amount: 1 };
    const agent: AgentFunction = ({ messages }) => ({
      messages: [...messages, { role: 'assistant', content: 'Again? No.' }],
    });
    const trial = await trialOf(agent, {
      ...MOCKED,
      prompt: undefined,
      messages: [
        { role: 'user', content: 'Refund it.' },
        { role: 'assistant', tool_calls: [{ id: 'h1', name: 'issue_refund', arguments: args }] },
        { role: 'tool_result', tool_call_id: 'h1', name: 'issue_refund', content: 'refunded' },
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'And again.' },
      ],
      assertions: [NOT_REFUNDED],
    });
    expect(trial).toMatchObject({ status: 'passed', calls: [] });
  });
});
