import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AdapterOptions } from '../../packages/salvo/src/adapters/adapter-options-schema.ts';
import { type JudgeRequest, judgeTrace } from '../../packages/salvo/src/judge/judge-trace.ts';
import { anthropicError, anthropicMessage } from '../loopback/anthropic-wire.ts';
import { type Exchange, type Reply, startLoopback } from '../loopback/loopback-server.ts';
import { completion, openAiError } from '../loopback/openai-wire.ts';
import { wireModels } from '../loopback/wire-models.ts';
import { sampleTrace } from '../sample-trace.ts';

const CRITERIA = [
  { name: 'Is it "kind"?', description: 'Kind words.', weight: 1 },
  { name: 'überzeugend', description: 'Says why.', weight: 1 },
  { name: '礼儀', description: 'Has manners.', weight: 2, binary: true },
];
/** What the names become on the wire: providers take only letters, digits, _ and - in property names. */
const KEYS = ['Is_it_kind', 'uberzeugend', 'criterion_3'];
const NAMES = CRITERIA.map(({ name }) => name);

async function judge(adapter: AdapterOptions, changes: Partial<JudgeRequest> = {}) {
  const models = wireModels({ judge: adapter }, { maxRetries: 2 });
  return judgeTrace({
    trace: sampleTrace(),
    criteria: CRITERIA,
    judges: [{ adapter: 'judge', model: 'm', weight: 1 }],
    k: 1,
    threshold: 0.8,
    temperature: 0,
    maxTokens: 300,
    models,
    ...changes,
  });
}

/** An answer from OpenAI or Anthropic that gives every criterion this score. */
const votes = {
  openai: (score: unknown, changes = {}): Reply =>
    completion({
      toolCalls: [{ id: 'call_1', name: 'score_criteria', arguments: JSON.stringify(scoresOf(score)) }],
      ...changes,
    }),
  anthropic: (score: unknown): Reply =>
    anthropicMessage({
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'score_criteria', input: scoresOf(score) }],
      stopReason: 'tool_use',
    }),
};
const scoresOf = (score: unknown) => Object.fromEntries(KEYS.map((key) => [key, { reasoning: `why ${key}`, score }]));

const scoreSchema = (description: string, score: object) => ({
  type: 'object',
  description,
  properties: { reasoning: expect.objectContaining({ type: 'string' }), score: expect.objectContaining(score) },
  required: ['reasoning', 'score'],
  additionalProperties: false,
});
const toolSchema = {
  type: 'object',
  properties: {
    [KEYS[0] ?? '']: scoreSchema('The criterion "Is it "kind"?"', { type: 'number', minimum: 0, maximum: 1 }),
    [KEYS[1] ?? '']: scoreSchema('The criterion "überzeugend"', { type: 'number', minimum: 0, maximum: 1 }),
    [KEYS[2] ?? '']: scoreSchema('The criterion "礼儀"', { type: 'integer', minimum: 0, maximum: 1 }),
  },
  required: KEYS,
  additionalProperties: false,
};
const openAiTool = {
  type: 'function',
  function: { name: 'score_criteria', description: expect.any(String), parameters: toolSchema },
};
const openAiChoice = { type: 'function', function: { name: 'score_criteria' } };

describe('OpenAI', () => {
  const judgeAt = (url: string, changes: Partial<JudgeRequest> = {}) =>
    judge({ type: 'openai', base_url: `${url}/v1` }, changes);
  const judgeBy = async (exchanges: Exchange[], changes: Partial<JudgeRequest> = {}) => {
    await using server = await startLoopback(exchanges);
    return { ...(await judgeAt(server.url, changes)), requests: server.requests };
  };

  it('is sent the scoring tool and made to call it, and nothing else', async () => {
    await using server = await startLoopback([
      {
        expect({ path, body }) {
          expect(path).toBe('/v1/chat/completions');
          expect(body).toEqual({
            model: 'm',
            messages: [
              { role: 'system', content: expect.stringContaining('- **Is it "kind"?** (weight: 1): Kind words.') },
              { role: 'user', content: expect.stringContaining('Done.') },
            ],
            tools: [openAiTool],
            tool_choice: openAiChoice,
            temperature: 0,
            max_tokens: 300,
          });
        },
        reply: votes.openai(0.9),
      },
    ]);
    const { score, metadata } = await judgeAt(server.url);
    // What is binary is 0 or 1: 0.9 is 1.
    expect(score).toBeCloseTo(0.95);
    expect(metadata).toMatchObject({
      judge_cost_usd: 0.01,
      votes: [{ input_tokens: 10, output_tokens: 5, repaired: false, error: null }],
    });
    expect(metadata.per_criterion.map(({ name, reasoning }) => [name, reasoning])).toEqual(
      NAMES.map((name, index) => [name, `why ${KEYS[index]}`]),
    );
  });

  it('is asked again after an answer that cannot be read, without a dangling tool call', async () => {
    const { metadata } = await judgeBy([
      { reply: votes.openai('excellent') },
      {
        expect({ body }) {
          const { messages } = Object(body);
          expect(messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
          expect(messages[2]).toEqual({ role: 'assistant', content: expect.stringContaining('"excellent"') });
          expect(messages[3].content).toContain('no number from 0.0 to 1.0');
          expect(body).toMatchObject({ tools: [openAiTool], tool_choice: openAiChoice });
        },
        reply: votes.openai(1),
      },
    ]);
    expect(metadata).toMatchObject({ judge_cost_usd: 0.02, votes: [{ score: 1, repaired: true, input_tokens: 20 }] });
  });

  it('is called again after Retry-After when it limits the rate of one vote', async () => {
    const busy = openAiError(429, { message: 'slow down', headers: { 'retry-after': '1' } });
    const { metadata, requests } = await judgeBy(
      [{ reply: busy }, { reply: votes.openai(1) }, { reply: votes.openai(1) }, { reply: votes.openai(1) }],
      { k: 3 },
    );
    expect(requests).toHaveLength(4);
    expect(metadata.votes.map(({ score, error }) => [score, error])).toEqual([
      [1, null],
      [1, null],
      [1, null],
    ]);
    expect(metadata.votes.map(({ retries }) => retries).sort()).toEqual([0, 0, 1]);
    expect(metadata).toMatchObject({ retries: 1, repaired_votes: 0 });
  });

  it('still has a verdict when one of three votes is lost', async () => {
    const dead = openAiError(400, { message: 'bad luck' });
    const { score, metadata } = await judgeBy(
      [{ reply: votes.openai(1) }, { reply: dead }, { reply: votes.openai(1) }],
      { k: 3 },
    );
    expect(score).toBe(1);
    const lost = metadata.votes.filter(({ scores }) => scores === null);
    expect(lost).toMatchObject([{ raw_text: null, error: expect.stringContaining('bad luck'), cost_usd: 0 }]);
  });

  it('may refuse, which is named, does not count as a vote, and is not asked twice', async () => {
    const { score, metadata } = await judgeBy([{ reply: completion({ refusal: "I'm sorry, I can't judge that." }) }]);
    expect(score).toBeNull();
    expect(metadata.votes).toMatchObject([
      {
        repaired: false,
        raw_text: "I'm sorry, I can't judge that.",
        error: "The judge refused: I'm sorry, I can't judge that.",
      },
    ]);
  });

  it('may be silenced by a content filter, in its answer or by an error', async () => {
    const cut = completion({ content: 'The agent', finishReason: 'content_filter' });
    const blocked = openAiError(400, { message: 'The prompt was filtered.', code: 'content_filter' });
    const errors = await Promise.all(
      [cut, blocked].map(async (reply) => (await judgeBy([{ reply }])).metadata.votes.map(({ error }) => error)),
    );
    expect(errors).toEqual([
      ["The judge gave no answer: the provider's content filter blocked it"],
      ['The content filter of openai blocked the request or its answer (400): The prompt was filtered.'],
    ]);
  });

  it.each([
    ['a key twice', '{"Is_it_kind": 0, "Is_it_kind": 1, "uberzeugend": 1, "criterion_3": 1}', 'the same key twice'],
    ['another scale', JSON.stringify(scoresOf(3)), 'another scale'],
  ])('may hand in %s, and is asked again', async (_, args, problem) => {
    const twice = completion({ toolCalls: [{ id: 'c', name: 'score_criteria', arguments: args }] });
    const { score, requests } = await judgeBy([{ reply: twice }, { reply: votes.openai(0.5) }]);
    expect(JSON.stringify(requests[1]?.body)).toContain(problem);
    expect(score).toBe(0.75);
  });

  it('may call the tool twice with different scores, and is asked again', async () => {
    const [good, bad] = [1, 0].map((each) => JSON.stringify(scoresOf(each)));
    const calls = [good, bad].map((args) => ({ id: `c${args?.length}`, name: 'score_criteria', arguments: args }));
    const { metadata, requests } = await judgeBy([
      { reply: completion({ toolCalls: calls }) },
      { reply: completion({ toolCalls: calls }) },
    ]);
    expect(requests).toHaveLength(2);
    expect(metadata.votes).toMatchObject([
      { scores: null, error: 'The answer gives one criterion two different scores.' },
    ]);
  });

  it('may break off in the middle of its arguments, and is then asked to be brief', async () => {
    const cut = { id: 'c', name: 'score_criteria', arguments: '{"Is_it_kind": {"reasoning": "It is ki' };
    const { score } = await judgeBy([
      { reply: completion({ toolCalls: [cut], finishReason: 'length' }) },
      {
        expect({ body }) {
          const { messages } = Object(body);
          expect(messages[2]).toEqual({ role: 'assistant', content: `score_criteria(${cut.arguments})` });
          expect(messages[3].content).toContain('be brief');
        },
        reply: votes.openai(1),
      },
    ]);
    expect(score).toBe(1);
  });

  it('may answer in text, with the names as they are', async () => {
    const text = JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, { score: 1, reasoning: 'x' }])));
    const { score } = await judgeBy([{ reply: completion({ content: `My judgement:\n${text}` }) }]);
    expect(score).toBe(1);
  });

  it('is never asked for two votes at once when only one request may be under way', async () => {
    let [now, most] = [0, 0];
    const server = createServer(async (incoming, response) => {
      now += 1;
      most = Math.max(most, now);
      incoming.resume();
      await sleep(20);
      now -= 1;
      const reply = votes.openai(1);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(Object(reply).json));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const options = { type: 'openai', base_url: `http://127.0.0.1:${port}/v1`, max_concurrency: 1 } as const;
    const { score } = await judge(options, { k: 3 });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect({ score, most }).toEqual({ score: 1, most: 1 });
  });
});

describe('Anthropic', () => {
  const judgeBy = async (exchanges: Exchange[], changes: Partial<JudgeRequest> = {}) => {
    await using server = await startLoopback(exchanges);
    return await judge({ type: 'anthropic', base_url: server.url }, changes);
  };

  it('is sent the scoring tool and made to use it, and nothing else', async () => {
    const { score, metadata } = await judgeBy([
      {
        expect({ path, body }) {
          expect(path).toBe('/v1/messages');
          expect(body).toEqual({
            model: 'm',
            system: expect.anything(),
            messages: [{ role: 'user', content: expect.anything() }],
            tools: [{ name: 'score_criteria', description: expect.any(String), input_schema: toolSchema }],
            tool_choice: { type: 'tool', name: 'score_criteria' },
            temperature: 0,
            max_tokens: 300,
          });
          expect(JSON.stringify(body)).toContain('Kind words.');
        },
        reply: votes.anthropic(1),
      },
    ]);
    expect(score).toBe(1);
    expect(Object.keys(metadata.votes[0]?.scores ?? {})).toEqual(NAMES);
  });

  it('is asked again in a conversation it accepts: turns alternate, and no tool use is left without a result', async () => {
    const { metadata } = await judgeBy([
      { reply: votes.anthropic(null) },
      {
        expect({ body }) {
          const { messages } = Object(body);
          expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user']);
          expect(JSON.stringify(messages)).not.toContain('tool_use');
          expect(JSON.stringify(messages[2])).toContain('could not be read');
        },
        reply: votes.anthropic(1),
      },
    ]);
    expect(metadata.votes).toMatchObject([{ score: 1, repaired: true }]);
  });

  it('is asked again after an empty answer, which is not sent back as an empty block', async () => {
    const { metadata } = await judgeBy([
      { reply: anthropicMessage({ content: [] }) },
      {
        expect: ({ body }) => expect(JSON.stringify(Object(body).messages[1])).toContain('(no answer)'),
        reply: votes.anthropic(1),
      },
    ]);
    expect(metadata.votes).toMatchObject([{ score: 1, repaired: true }]);
  });

  it('may refuse, which is named and not asked twice', async () => {
    const refusal = anthropicMessage({ content: [{ type: 'text', text: 'I will not.' }], stopReason: 'refusal' });
    const { score, metadata } = await judgeBy([{ reply: refusal }]);
    expect(score).toBeNull();
    expect(metadata.votes).toMatchObject([{ error: 'The judge refused: I will not.', raw_text: 'I will not.' }]);
  });

  it('may send a key twice, which is no vote: nobody knows which of the two is meant', async () => {
    const input = `{"Is_it_kind": 0, "Is_it_kind": 1, "uberzeugend": 1, "criterion_3": 1}`;
    const call = `{"type": "tool_use", "id": "t", "name": "score_criteria", "input": ${input}}`;
    const text = `{"content": [${call}], "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 1}}`;
    const { score, metadata } = await judgeBy([{ reply: { text, contentType: 'application/json' } }]);
    expect(score).toBeNull();
    expect(metadata.votes).toMatchObject([{ error: expect.stringContaining('the key "Is_it_kind" twice') }]);
  });

  it('may be silenced by a content filter', async () => {
    const message = 'Output blocked by content filtering policy';
    const blocked = anthropicError(400, { type: 'invalid_request_error', message });
    const { metadata } = await judgeBy([{ reply: blocked }]);
    expect(metadata.votes).toMatchObject([
      { error: `The content filter of anthropic blocked the request or its answer (400): ${message}` },
    ]);
  });

  it('may have too small a context, which is no vote, and names the key to set', async () => {
    const message = 'prompt is too long: 210000 tokens > 200000 maximum';
    const { score, metadata } = await judgeBy([
      { reply: anthropicError(400, { type: 'invalid_request_error', message }) },
    ]);
    expect(score).toBeNull();
    expect(metadata.votes).toMatchObject([{ error: expect.stringMatching(/too long.*max_context_characters/) }]);
  });

  it('is tried again when it is overloaded', async () => {
    const overloaded = anthropicError(529, { type: 'overloaded_error', message: 'Overloaded' });
    const { score } = await judgeBy([{ reply: overloaded }, { reply: votes.anthropic(1) }]);
    expect(score).toBe(1);
  });
});
