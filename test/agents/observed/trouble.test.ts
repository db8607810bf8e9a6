import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { describe, expect, test } from 'vitest';
import { runScenario } from '../../../packages/salvo/src/app/runs/run-scenario.ts';
import type { Message } from '../../../packages/salvo/src/trace/message.ts';
import { startAnsweringServer } from '../../loopback/answering-server.ts';
import { AGENTS, ASKED, baseUrls, messageOf, observedAgent, plain, startModel, trialOf } from './observed-fixture.ts';

const CALL = { id: 'call_1', type: 'function', function: { name: 'lookup_order', arguments: '{"order_id":"A-1001"}' } };
const USAGE = { prompt_tokens: 100, completion_tokens: 20 };

function completion(message: object): object {
  return {
    model: 'gpt-4o-mini',
    usage: USAGE,
    choices: [{ message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  };
}

const asksForOrder = { json: completion({ content: null, tool_calls: [CALL] }) };

const chat = (url: string) => observedAgent(baseUrls(url), ({ messages, bases }) => answerOf('chat', messages, bases));

async function answerOf(name: string, messages: readonly Message[], bases: Record<string, string>): Promise<unknown> {
  return AGENTS[name]?.(plain(messages), { bases });
}

describe('an agent that is observed', () => {
  test.each([429, 500, 503])(
    'is not scored if its provider answers with %i, and what was seen before is kept',
    async (status) => {
      const failure = { status, json: { error: { message: 'come back later' } } };
      await using server = await startAnsweringServer((_, number) => (number === 1 ? asksForOrder : failure));
      const { trial, trace } = await trialOf({ agent: chat(server.url) });
      expect(trial).toMatchObject({ status: 'unscored', error_code: 'AGENT_PROVIDER_FAILED' });
      expect(trial.error_message).toContain(`status ${status}: come back later`);
      expect(server.requests()).toBe(2);
      expect(trace.tool_calls_made).toMatchObject([
        { name: 'lookup_order', arguments: { order_id: 'A-1001' }, result: '{"order_id":"A-1001","paid":49.9}' },
      ]);
      expect(trace).toMatchObject({ input_tokens: 100, observed: { model_calls: 2 }, tools_seen: 'observed' });
      expect(trace.cost_usd).toBeGreaterThan(0);
    },
  );

  test('is not scored if it answers without its model, and its answer is kept in its log', async () => {
    await using server = await startAnsweringServer(() => ({ status: 500, json: {} }));
    const agent = observedAgent(baseUrls(server.url), async ({ messages, bases }) => {
      try {
        return await answerOf('chat', messages, bases);
      } catch {
        return 'Sorry, something went wrong.';
      }
    });
    const { trial, trace } = await trialOf({ agent });
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'AGENT_PROVIDER_FAILED' });
    expect(trace.agent_log).toContain('Sorry, something went wrong.');
  });

  test('is scored if a later call of its model succeeded', async () => {
    await using server = await startAnsweringServer((_, number) =>
      number === 1 ? { status: 429, json: {} } : { json: completion({ content: 'One of them was paid.' }) },
    );
    const agent = observedAgent(baseUrls(server.url), async ({ messages, bases }) => {
      await answerOf('chat', messages, bases).catch(() => undefined);
      return answerOf('chat', messages, bases);
    });
    const assertions = [{ type: 'tool_not_called' as const, tool: 'issue_refund' }];
    const { trial, trace, details } = await trialOf({ agent, scenario: { assertions } });
    expect(trial.status).toBe('passed');
    expect(details).toEqual(['"issue_refund" was never requested by the model']);
    expect(trace.messages).toHaveLength(2);
  });

  test('keeps what was seen before its time was up', async () => {
    await using server = await startAnsweringServer((_, number) => (number === 1 ? asksForOrder : 'hang'));
    const { trial, trace } = await trialOf({ agent: chat(server.url), scenario: { timeout_seconds: 1 } });
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'TRIAL_TIMEOUT' });
    expect(trace.tool_calls_made).toMatchObject([{ name: 'lookup_order' }]);
  });

  test('has no verdict on tools if it ignores the variables', async () => {
    await using model = await startModel();
    const agent = observedAgent({}, ({ messages }) =>
      answerOf('chat', messages, { OPENAI_BASE_URL: `${model.url}/v1` }),
    );
    const { trial, details } = await trialOf({ agent });
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'TOOLS_UNKNOWN' });
    expect(details[0]).toContain(
      "no request to a model was recorded. Check that the agent's SDK reads OPENAI_BASE_URL",
    );
  });

  test('is told that requests to Bedrock cannot be sent on: they are signed', async () => {
    const agent = observedAgent({}, async ({ bases }) => {
      const authorization = 'AWS4-HMAC-SHA256 Credential=AKID/20261117/eu-west-1/bedrock/aws4_request, Signature=00';
      const address = `${bases.ANTHROPIC_BASE_URL}/model/m/converse`;
      const response = await fetch(address, { method: 'POST', headers: { authorization }, body: '{}' });
      return `status ${response.status}`;
    });
    const { trace, details } = await trialOf({ agent });
    expect(trace.final_content).toBe('status 400');
    expect(details[0]).toMatch(/signed for the address that it is sent to.*observe: otel/);
  });

  test("is told that requests of AWS's SDK for JavaScript cannot be recorded: they come by HTTP/2", async () => {
    const agent = observedAgent({}, async ({ bases }) => {
      const client = new BedrockRuntimeClient({
        ...{ endpoint: bases.ANTHROPIC_BASE_URL, region: 'eu-west-1', maxAttempts: 1 },
        credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
      });
      const messages = [{ role: 'user' as const, content: [{ text: 'Look up two orders.' }] }];
      const answer = await client.send(new ConverseCommand({ modelId: 'm', messages })).catch((error: Error) => error);
      client.destroy();
      return `I tried: ${answer}`;
    });
    const { trial, details } = await trialOf({ agent });
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'TOOLS_UNKNOWN' });
    expect(details[0]).toContain('a request came by HTTP/2');
  });

  test('is told if only requests came that are of no model', async () => {
    await using server = await startAnsweringServer(() => ({ json: { data: [] } }));
    const agent = observedAgent(baseUrls(server.url), async ({ bases }) => {
      await fetch(`${bases.OPENAI_BASE_URL}/embeddings`, { method: 'POST', body: '{"model":"e","input":"x"}' });
      return 'Done.';
    });
    const { details } = await trialOf({ agent });
    expect(details[0]).toContain(
      '1 request came to the recorder, and none to an API that Salvo reads (/v1/embeddings)',
    );
  });

  test('is not asked for ever if the base URL leads back to the recorder', async () => {
    const env: Record<string, string | undefined> = {};
    const agent = observedAgent(env, async ({ messages, bases }) => {
      env.OPENAI_BASE_URL = bases.OPENAI_BASE_URL;
      return answerOf('chat', messages, bases).catch((error: Error) => error.message);
    });
    const { details } = await trialOf({ agent });
    expect(details[0]).toContain('leads to the recorder itself');
  });

  test('follows no redirect', async () => {
    await using elsewhere = await startAnsweringServer(() => asksForOrder);
    await using server = await startAnsweringServer(() => ({
      status: 307,
      headers: { location: elsewhere.url },
      text: '',
    }));
    const { trial } = await trialOf({ agent: chat(server.url) });
    expect(trial.error_message).toContain('which is not followed');
    expect(elsewhere.requests()).toBe(0);
  });

  test('is not scored if a stream breaks off, and its beginning is kept', async () => {
    const chunk = { model: 'gpt-4o-mini', choices: [{ index: 0, delta: { content: 'One of' } }] };
    await using server = await startAnsweringServer(() => ({
      contentType: 'text/event-stream',
      text: `data: ${JSON.stringify(chunk)}\n\n`,
    }));
    const agent = observedAgent(baseUrls(server.url), async ({ bases }) => {
      const response = await fetch(`${bases.OPENAI_BASE_URL}/chat/completions`, {
        method: 'POST',
        body: '{"model":"gpt-4o-mini","messages":[]}',
      });
      return `I have: ${(await response.text()).length}`;
    });
    const { trial, trace } = await trialOf({ agent });
    expect(trial.error_message).toContain('the stream broke off: it ended without a finish_reason');
    expect(trace.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'One of' });
    expect(trace.cost_usd).toBe(null);
  });

  test.each([
    ['no JSON', 'hello'],
    ['an empty body', ''],
    ['a list', '[]'],
    ['messages that are none', '{"model":"gpt-4o-mini","messages":[{"role":"user","content":[{"type":"hologram"}]}]}'],
    ['deep nesting', `{"messages":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('passes on a request with %s, and has no verdict on what cannot be read', async (_, body) => {
    await using server = await startAnsweringServer(() => ({ json: completion({ content: 'Done.' }) }));
    const agent = observedAgent(baseUrls(server.url), async ({ bases }) => {
      const response = await fetch(`${bases.OPENAI_BASE_URL}/chat/completions`, { method: 'POST', body });
      return `status ${response.status}`;
    });
    const { trial, trace } = await trialOf({ agent });
    expect(server.requests()).toBe(1);
    expect(trace.final_content).toBe('status 200');
    expect(trace.observed?.model_calls).toBe(1);
    expect(['unscored', 'failed']).toContain(trial.status);
  });

  test('stops when the budget is spent, and counts each request', async () => {
    await using model = await startModel();
    const agent = observedAgent(baseUrls(model.url), ({ messages, bases }) => answerOf('chat', messages, bases));
    const prices = { 'gpt-4o-mini': { input_per_million: 10_000, output_per_million: 10_000 } };
    const scenario = { name: 'orders', ...ASKED };
    const run = await runScenario({ scenario, agent, settings: { prices }, trials: 10, concurrency: 2, budgetUsd: 7 });
    expect(run.summary.stopped).toBe('budget');
    // Each request costs 1.20, and a trial has two.
    expect(model.getRequests().length).toBeGreaterThan(2);
    expect(model.getRequests().length * 1.2).toBeLessThanOrEqual(7);
  });
});

describe('what an agent says itself', () => {
  const messagesOf = (calls: object[]) => ({
    messages: [
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'call_1', content: '{"order_id":"A-1001","paid":49.9}' },
      { role: 'assistant', content: 'It was paid.' },
    ],
  });

  test('and what was recorded are one trace, with no call twice', async () => {
    await using server = await startAnsweringServer((_, number) =>
      number === 1 ? asksForOrder : { json: completion({ content: 'It was paid.' }) },
    );
    const agent = observedAgent(baseUrls(server.url), async ({ messages, bases }) => {
      await answerOf('chat', messages, bases);
      return messagesOf([CALL]);
    });
    const { trace } = await trialOf({ agent });
    expect(trace.tool_calls_made).toMatchObject([{ id: 'call_1', seen: 'observed' }]);
    expect(trace.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result', 'assistant']);
  });

  test("a call that no model asked for, and an answer that is not the model's, are kept", async () => {
    await using server = await startAnsweringServer(() => ({ json: completion({ content: 'It was paid.' }) }));
    const agent = observedAgent(baseUrls(server.url), async ({ messages, bases }) => {
      await answerOf('chat', messages, bases);
      return { ...messagesOf([CALL]), content: 'IT WAS PAID.' };
    });
    const { trace } = await trialOf({ agent });
    expect(trace.tool_calls_made).toMatchObject([{ id: 'call_1', seen: 'reported', turn: 1 }]);
    expect(trace.final_content).toBe('IT WAS PAID.');
    expect(trace.turn_count).toBe(2);
  });

  test('calls of mocks are those that the model asked for', async () => {
    const tools = [{ name: 'lookup_order', parameters: { type: 'object' }, mock_response: 'from the mock' }];
    await using server = await startAnsweringServer((_, number) =>
      number === 1 ? asksForOrder : { json: completion({ content: 'It was paid.' }) },
    );
    const agent = observedAgent(baseUrls(server.url), async ({ bases, config }) => {
      const ask = async (messages: object[]) => {
        const body = JSON.stringify({ model: 'gpt-4o-mini', messages });
        const response = await fetch(`${bases.OPENAI_BASE_URL}/chat/completions`, { method: 'POST', body });
        return messageOf(await response.json());
      };
      const history: object[] = [{ role: 'user', content: 'Look up an order.' }];
      history.push(await ask(history));
      const answer = await config.callTool?.('lookup_order', { order_id: 'A-1001' });
      return (await ask([...history, { role: 'tool', tool_call_id: 'call_1', content: answer?.content }])).content;
    });
    const { trace, trial } = await trialOf({
      agent,
      scenario: { tools, assertions: [{ type: 'tool_called', tool: 'lookup_order', times: 1 }] },
    });
    expect(trial.status).toBe('passed');
    expect(trace.tool_calls_made).toMatchObject([{ id: 'call_1', result: 'from the mock', seen: 'observed' }]);
    expect(trace.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result', 'assistant']);
    const own = await trialOf({ agent: chat(server.url), scenario: { tools } });
    expect(own.trial.error_code).toBe(null);
  });

  test('an agent that runs its own tool instead of a mock is not scored', async () => {
    const tools = [{ name: 'lookup_order', parameters: { type: 'object' }, mock_response: 'from the mock' }];
    await using server = await startAnsweringServer((_, number) =>
      number === 1 ? asksForOrder : { json: completion({ content: 'It was paid.' }) },
    );
    const { trial } = await trialOf({ agent: chat(server.url), scenario: { tools } });
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'MOCK_BYPASSED' });
  });

  test('conversations beside the main one are kept apart, and their calls are seen', async () => {
    const refund = { id: 'call_9', type: 'function', function: { name: 'issue_refund', arguments: '{"amount":5}' } };
    const answers: Record<string, object> = {
      'main 1': completion({ content: null, tool_calls: [CALL] }),
      'main 2': completion({ content: 'All done.' }),
      'sub 1': completion({ content: null, tool_calls: [refund] }),
      'sub 2': completion({ content: 'Refunded.' }),
    };
    await using server = await startAnsweringServer(({ headers }) => ({
      json: answers[String(headers['x-step'])] ?? {},
    }));
    const agent = observedAgent(baseUrls(server.url), async ({ bases }) => {
      const ask = async (step: string, messages: object[]) => {
        const body = JSON.stringify({ model: 'gpt-4o-mini', messages });
        const response = await fetch(`${bases.OPENAI_BASE_URL}/chat/completions`, {
          method: 'POST',
          body,
          headers: { 'x-step': step },
        });
        return messageOf(await response.json());
      };
      const main: object[] = [{ role: 'user', content: 'Look up two orders.' }];
      main.push(await ask('main 1', main));
      const sub: object[] = [{ role: 'user', content: 'Refund 5.' }];
      sub.push(await ask('sub 1', sub));
      await ask('sub 2', [...sub, { role: 'tool', tool_call_id: 'call_9', content: 'refunded' }]);
      return (await ask('main 2', [...main, { role: 'tool', tool_call_id: 'call_1', content: 'Refunded.' }])).content;
    });
    const assertions = [{ type: 'tool_not_called' as const, tool: 'issue_refund' }];
    const { trial, trace } = await trialOf({ agent, scenario: { assertions } });
    expect(trace.observed).toMatchObject({ model_calls: 4, conversations: 2 });
    expect(trace.messages.filter(({ role }) => role === 'assistant')).toHaveLength(2);
    expect(trace.tool_calls_made.map(({ name, result }) => [name, result])).toEqual([
      ['lookup_order', 'Refunded.'],
      ['issue_refund', 'refunded'],
    ]);
    expect(trial.status).toBe('failed');
    expect(trace.turns).toHaveLength(4);
  });
});
