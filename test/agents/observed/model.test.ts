import type { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Trace } from '../../../packages/salvo/src/trace/trace.ts';
import { AGENT_FILE, AGENTS, baseUrls, observedAgent, plain, startModel, trialOf } from './observed-fixture.ts';

let model: LLMock;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.stop());

const MODELS: Record<string, string> = {
  chat: 'gpt-4o-mini',
  responses: 'gpt-4o-mini',
  messages: 'claude-sonnet-4-6',
  gemini: 'gemini-2.5-flash',
};

/** The trace without what differs from run to run. */
function withoutIds({ messages, tool_calls_made }: Trace): unknown {
  const ids = new Map(tool_calls_made.map(({ id }, index) => [id, `call ${index + 1}`]));
  return messages.map((message) => {
    if (message.role === 'assistant') {
      const tool_calls = message.tool_calls.map((call) => ({ ...call, id: ids.get(call.id) }));
      return { role: message.role, content: message.content, tool_calls };
    }
    return message.role === 'tool_result' ? { ...message, tool_call_id: ids.get(message.tool_call_id) } : message;
  });
}

function expectedMessages(isErrorSeen: boolean): unknown {
  const call = (number: number, order_id: string) => ({
    id: `call ${number}`,
    name: 'lookup_order',
    arguments: { order_id },
  });
  const result = (number: number, content: string, is_error = false) => ({
    ...{ role: 'tool_result', tool_call_id: `call ${number}`, name: 'lookup_order', content, is_error },
  });
  return [
    { role: 'user', content: 'Look up two orders.' },
    { role: 'assistant', content: null, tool_calls: [call(1, 'A-1001'), call(2, 'B-2002')] },
    result(1, '{"order_id":"A-1001","paid":49.9}'),
    result(2, 'Error: no such order', isErrorSeen),
    { role: 'assistant', content: 'One of them was paid.', tool_calls: [] },
  ];
}

describe('observe: model', () => {
  test.each(Object.keys(AGENTS))('sees what an agent on %s does, which returns only a text', async (name) => {
    const api = name.replace('-stream', '');
    const agent = observedAgent(baseUrls(model.url), ({ messages, bases }) => {
      const run = AGENTS[name];
      if (!run) throw new Error(`There is no agent ${name}.`);
      return run(plain(messages), { bases });
    });
    const before = model.getRequests().length;
    const { trace, trial, details } = await trialOf({ agent });
    expect(trace.error).toBe(null);
    expect(withoutIds(trace)).toEqual(expectedMessages(api === 'messages' || api === 'gemini'));
    expect(trace).toMatchObject({
      model: MODELS[api],
      ...{ input_tokens: 200, output_tokens: 40, turn_count: 2, tools_seen: 'observed' },
      observed: { by: 'model', model_calls: 2, conversations: 1 },
      final_content: 'One of them was paid.',
    });
    expect(trace.cost_usd).toBeGreaterThan(0);
    expect(trace.turns).toEqual(
      [1, 2].map((turn) => expect.objectContaining({ turn, input_tokens: 100, output_tokens: 20 })),
    );
    const step = { model: MODELS[api], input_tokens: 100, output_tokens: 20, latency_seconds: expect.any(Number) };
    expect(trace.messages.filter(({ role }) => role === 'assistant')).toMatchObject([{ step }, { step }]);
    expect(trial.status).toBe('passed');
    expect(details).toEqual(['"lookup_order" was requested by the model 2 times']);
    expect(model.getRequests().length - before).toBe(2);
    expect(JSON.stringify(trace)).not.toContain('secret');
  });

  test('a program is led to the recorder by variables', async () => {
    const adapters = {
      program: {
        type: 'exec' as const,
        command: [process.execPath, AGENT_FILE, 'as-program'],
        observe: 'model' as const,
      },
    };
    const scenario = { adapter: 'program', model: 'messages-stream' };
    const { trace } = await trialOf({ scenario, settings: { adapters }, env: baseUrls(model.url) });
    expect(trace.error).toBe(null);
    expect(withoutIds(trace)).toEqual(expectedMessages(true));
  });

  test('a module has a process for each trial, and its turns are one conversation', async () => {
    const scenario = {
      adapter: 'module',
      model: 'chat',
      messages: [
        { role: 'user' as const, content: 'Look up two orders.' },
        { role: 'user' as const, content: 'Thanks!' },
      ],
    };
    const adapters = { module: { type: 'module', path: AGENT_FILE, observe: 'model' } } as const;
    const { trace, run } = await trialOf({ scenario, settings: { adapters }, env: baseUrls(model.url), trials: 2 });
    expect(run.trials.map(({ trace: each }) => each?.observed?.model_calls)).toEqual([3, 3]);
    expect(withoutIds(trace)).toEqual([
      ...(expectedMessages(false) as object[]),
      { role: 'user', content: 'Thanks!' },
      { role: 'assistant', content: 'You are welcome.', tool_calls: [] },
    ]);
    expect(trace).toMatchObject({ turn_count: 3, input_tokens: 300, tool_calls_made: [{ turn: 1 }, { turn: 1 }] });
    // The agent was told only what it had said itself.
    const last = model.getRequests().findLast(({ body }) => JSON.stringify(body).includes('Thanks!'));
    expect(last?.body).toMatchObject({
      messages: [
        { role: 'system' },
        { role: 'user' },
        { role: 'assistant', content: 'One of them was paid.' },
        { role: 'user' },
      ],
    });
  });
});
