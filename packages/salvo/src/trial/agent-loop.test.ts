import { describe, expect, it } from 'vitest';
import { TRIAL_CONTEXT } from '../../../../test/sample-trial-context.ts';
import type { AdapterTurnResult } from '../adapters/adapter.ts';
import { AdapterError } from '../adapters/adapter-error.ts';
import { type Scenario, scenarioFieldsSchema } from '../scenario/schema/scenario-schema.ts';
import { runAgentLoop } from './agent-loop.ts';
import { scenarioTools } from './tools/scenario-tools.ts';
import { TrialStopped } from './trial-result.ts';

type SendTurn = Parameters<typeof runAgentLoop>[0]['send'];

const scenarioOf = (fields: Record<string, unknown> = {}): Scenario => ({
  ...scenarioFieldsSchema.parse({
    prompt: 'My order?',
    tools: [{ name: 'lookup', mock_response: 'shipped' }],
    ...fields,
  }),
  name: 'test',
  assertions: [],
});

const turn = (change: Partial<AdapterTurnResult>): AdapterTurnResult => ({
  content: null,
  tool_calls: [],
  usage: { input_tokens: 10, output_tokens: 2 },
  finish_reason: change.tool_calls ? 'tool_calls' : 'stop',
  raw_response: null,
  ...change,
});
const calls = (...names: string[]) =>
  turn({ tool_calls: names.map((name, index) => ({ id: `c${index}`, name, arguments: {} })) });
const says = (content: string) => turn({ content });
const sent = (result: AdapterTurnResult, requests = 1) => {
  return { result, costUsd: result.usage ? result.usage.input_tokens / 1000 : null, requests };
};

async function loop(
  turns: (AdapterTurnResult | Error | SendTurn)[],
  options: { scenario?: Scenario; signal?: AbortSignal } = {},
) {
  const scenario = options.scenario ?? scenarioOf();
  const { signal = new AbortController().signal } = options;
  const requests: number[] = [];
  let next = 0;
  const trace = await runAgentLoop({
    scenario,
    caseName: null,
    scenarioHash: 'hash',
    model: 'test-model',
    adapter: { providerName: () => 'test' },
    tools: scenarioTools(scenario.tools),
    context: TRIAL_CONTEXT,
    readFiles: () => expect.fail('there are no files'),
    send: async (request) => {
      requests.push(request.config.conversation?.request ?? -1);
      const reply = turns[next++];
      if (typeof reply === 'function') return reply(request);
      if (reply instanceof Error) throw reply;
      if (reply === undefined) throw new Error('an unexpected request');
      return sent(reply);
    },
    seed: 1,
    trialNumber: 1,
    runId: 'run',
    conversationId: 'conversation',
    signal,
    throwIfOver: () => signal.throwIfAborted(),
    clock: { now: () => 0, monotonic: () => 0 },
  });
  return { trace, requests };
}

describe('an agent of its own', () => {
  it('that reports its whole conversation is asked again when the user has more to say', async () => {
    const scenario = scenarioOf({
      prompt: undefined,
      messages: [
        { role: 'user', content: 'One?' },
        { role: 'user', content: 'Two?' },
      ],
    });
    const reply: SendTurn = async ({ messages }) => {
      const answer = { role: 'assistant' as const, content: `answer ${messages.length}`, tool_calls: [] };
      return sent(turn({ trace: { messages: [...messages, answer] } }));
    };
    const { trace } = await loop([reply, reply], { scenario });
    expect(trace.messages.map(({ content }) => content)).toEqual(['One?', 'answer 1', 'Two?', 'answer 3']);
    expect(trace).toMatchObject({ final_content: 'answer 3', turn_count: 2 });
  });

  it('that crashes leaves its stack, and what it printed before', async () => {
    const crash: SendTurn = async ({ config }) => {
      config.log?.('so far, ');
      config.log?.('so good\n');
      throw new AdapterError('crashed', 'The agent threw an error: oh', {
        agentStack: 'Error: oh\n    at agent.ts:1:1',
      });
    };
    expect((await loop([crash])).trace).toMatchObject({
      error: 'The agent threw an error: oh',
      error_code: 'AGENT_CRASHED',
      error_stack: 'Error: oh\n    at agent.ts:1:1',
      agent_log: 'so far, so good\n',
    });
  });

  it('that prints nothing has no log', async () => {
    expect((await loop([says('Hi.')])).trace).not.toHaveProperty('agent_log');
  });
});

describe('the agent loop', () => {
  it('ends when the agent calls no tool, and its last words are the final content', async () => {
    const { trace } = await loop([calls('lookup'), says('It is shipped.')]);
    expect(trace).toMatchObject({
      final_content: 'It is shipped.',
      finish_reason: 'stop',
      turn_count: 2,
      input_tokens: 20,
      output_tokens: 4,
      total_tokens: 24,
      max_turns_hit: false,
      error: null,
      model: 'test-model',
      provider: 'test',
      timestamp: '1970-01-01T00:00:00.000Z',
    });
    expect(trace.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result', 'assistant']);
    expect(trace.tool_calls_made).toEqual([
      { id: 'c0', name: 'lookup', arguments: {}, turn: 1, result: 'shipped', is_error: false, seen: 'observed' },
    ]);
  });

  it('answers parallel tool calls in the order they were asked', async () => {
    const { trace } = await loop([calls('lookup', 'nothing', 'lookup'), says('ok')]);
    expect(trace.tool_calls_made.map(({ result }) => result?.slice(0, 12))).toEqual([
      'shipped',
      'Unknown tool',
      'shipped',
    ]);
    expect(trace.tool_errors).toMatchObject([{ kind: 'unknown_tool', name: 'nothing', turn: 1 }]);
  });

  it('stops at max_turns and says so', async () => {
    const { trace, requests } = await loop(Array(9).fill(calls('lookup')), { scenario: scenarioOf({ max_turns: 3 }) });
    expect(trace).toMatchObject({ max_turns_hit: true, turn_count: 3, final_content: null, error: null });
    expect(requests).toEqual([0, 1, 2]);
  });

  it('is not at its limit when the last turn it has is its answer', async () => {
    const { trace } = await loop([calls('lookup'), says('done')], { scenario: scenarioOf({ max_turns: 2 }) });
    expect(trace.max_turns_hit).toBe(false);
  });

  it('sends each open user turn after the agent has answered the one before', async () => {
    const scenario = scenarioOf({
      prompt: undefined,
      messages: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
    });
    const { trace } = await loop([says('1'), says('2')], { scenario });
    expect(trace.messages.map(({ content }) => content)).toEqual(['a', '1', 'b', '2']);
  });

  it('keeps unknown costs and tokens unknown', async () => {
    const { trace } = await loop([calls('lookup'), turn({ content: 'x', usage: null })]);
    expect(trace).toMatchObject({ cost_usd: null, input_tokens: null, total_tokens: null });
  });

  it('keeps what there is of the conversation when the provider gives up', async () => {
    const { trace } = await loop([calls('lookup'), new AdapterError('server', 'the provider is down')]);
    expect(trace).toMatchObject({ error: 'the provider is down', finish_reason: 'error', turn_count: 1 });
    expect(trace.messages).toHaveLength(3);
  });

  it('names the time limit as the reason, not what the adapter threw after it', async () => {
    const controller = new AbortController();
    const late = async () => {
      controller.abort(new TrialStopped('timeout', 'no end after 5 s'));
      throw new AdapterError('aborted', 'request aborted');
    };
    const { trace } = await loop([late], { signal: controller.signal });
    expect(trace).toMatchObject({ error: 'no end after 5 s', finish_reason: 'timeout' });
  });

  it('fails the trial at a call that no mock answers, when the scenario says so', async () => {
    const scenario = scenarioOf({ on_unmocked: 'fail' });
    const { trace, requests } = await loop([calls('nothing'), says('never asked')], { scenario });
    expect(trace.finish_reason).toBe('unmocked_call');
    expect(trace.error).toContain('"nothing"');
    expect(requests).toEqual([0]);
  });

  it('does not fail the trial because of a mocked error', async () => {
    const scenario = scenarioOf({
      on_unmocked: 'fail',
      tools: [{ name: 'lookup', mock_responses: [{ error: 'down' }] }],
    });
    const { trace } = await loop([calls('lookup'), says('sorry')], { scenario });
    expect(trace).toMatchObject({ error: null, final_content: 'sorry' });
  });

  it('records the tool calls that an agent in this process makes by itself', async () => {
    const agent: SendTurn = async ({ config }) => {
      const answer = await config.callTool?.('lookup', { id: 7 });
      return sent(says(`found: ${answer?.content}`));
    };
    const { trace } = await loop([agent]);
    expect(trace.final_content).toBe('found: shipped');
    expect(trace.tool_calls_made).toMatchObject([{ name: 'lookup', arguments: { id: 7 }, result: 'shipped' }]);
    expect(trace.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result', 'assistant']);
  });

  it('sees an unmocked call even when the agent swallows what it throws', async () => {
    const agent: SendTurn = async ({ config }) => {
      await config.callTool?.('nothing', {}).catch(() => null);
      return sent(says('all is well'));
    };
    const { trace } = await loop([agent], { scenario: scenarioOf({ on_unmocked: 'fail' }) });
    expect(trace.finish_reason).toBe('unmocked_call');
  });

  it("takes a whole agent's conversation and figures as they are", async () => {
    const messages = [
      { role: 'user' as const, content: 'My order?' },
      { role: 'assistant' as const, content: null, tool_calls: [{ id: 'x', name: 'own', arguments: { a: 1 } }] },
      { role: 'tool_result' as const, tool_call_id: 'x', name: 'own', content: 'found', is_error: false },
      { role: 'assistant' as const, content: 'There it is.', tool_calls: [] },
    ];
    const { trace } = await loop([turn({ trace: { messages, cost_usd: 0.5, input_tokens: 7, output_tokens: 3 } })]);
    expect(trace).toMatchObject({ turn_count: 2, final_content: 'There it is.', total_tokens: 10 });
    expect(trace.tool_calls_made).toMatchObject([{ name: 'own', result: 'found', turn: 1 }]);
  });

  it('counts requests on over retries, so that each has its own number', async () => {
    const retried: SendTurn = async () => sent(calls('lookup'), 3);
    const { requests } = await loop([retried, says('ok')]);
    expect(requests).toEqual([0, 3]);
  });
});

const user = (content: string) => ({ role: 'user' as const, content });
const assistant = (content: string) => ({ role: 'assistant' as const, content, tool_calls: [] });

describe('the messages of the scenario', () => {
  const answers = [says('1'), says('2'), says('3')];
  const conversation = async (fields: Record<string, unknown>) => {
    const { trace, requests } = await loop(answers, { scenario: scenarioOf({ prompt: undefined, ...fields }) });
    return { sent: trace.messages.map(({ role, content }) => `${role} ${content}`), requests: requests.length };
  };

  it('are the system prompt and the prompt, answered once', async () => {
    const { sent, requests } = await conversation({ system_prompt: 'Be kind.', prompt: 'Hi' });
    expect(sent).toEqual(['system Be kind.', 'user Hi', 'assistant 1']);
    expect(requests).toBe(1);
  });

  it('are history where an assistant message follows a user message', async () => {
    const { sent, requests } = await conversation({ messages: [user('a'), assistant('b'), user('c')] });
    expect(sent).toEqual(['user a', 'assistant b', 'user c', 'assistant 1']);
    expect(requests).toBe(1);
  });

  it('are answered one by one where several user messages follow each other', async () => {
    const { sent } = await conversation({ messages: [user('a'), user('b'), user('c')] });
    expect(sent).toEqual(['user a', 'assistant 1', 'user b', 'assistant 2', 'user c', 'assistant 3']);
  });

  it('are sent as history, then every open turn', async () => {
    const { sent } = await conversation({ messages: [user('a'), assistant('b'), user('c'), user('d')] });
    expect(sent).toEqual(['user a', 'assistant b', 'user c', 'assistant 1', 'user d', 'assistant 2']);
  });
});
