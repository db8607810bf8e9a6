import { describe, expect, it } from 'vitest';
import type { AdapterOptions } from '../../packages/salvo/src/adapters/adapter-options-schema.ts';
import { evaluateTrace } from '../../packages/salvo/src/evaluators/evaluate-trace.ts';
import type { EvaluationContext } from '../../packages/salvo/src/evaluators/evaluator.ts';
import { createBudget } from '../../packages/salvo/src/models/budget/create-budget.ts';
import { createVoteCache } from '../../packages/salvo/src/models/call/vote-cache.ts';
import { ASSERTION_SCHEMAS } from '../../packages/salvo/src/scenario/schema/assertion-schema.ts';
import { scenarioFieldsSchema } from '../../packages/salvo/src/scenario/schema/scenario-schema.ts';
import { embeddedTexts, embeddings } from '../loopback/embedding-wire.ts';
import { type Exchange, type Reply, startLoopback } from '../loopback/loopback-server.ts';
import { wireModels } from '../loopback/wire-models.ts';
import { sampleTrace } from '../sample-trace.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const similar = (fields: Record<string, unknown> = {}) =>
  ASSERTION_SCHEMAS.output_similar.parse({
    type: 'output_similar',
    value: 'Finished.',
    adapter: 'near',
    model: 'm',
    ...fields,
  });

async function evaluate(
  adapter: AdapterOptions,
  { context = {}, ...fields }: { context?: EvaluationContext; [field: string]: unknown } = {},
) {
  const models = wireModels({ near: adapter }, { maxRetries: 1 });
  const scenario = { ...scenarioFieldsSchema.parse({ prompt: 'Please.' }), name: 's', assertions: [similar(fields)] };
  const [result] = await evaluateTrace({ scenario, trace: sampleTrace(), context: { models, ...context } });
  if (!result) throw new Error('there is no result');
  return result;
}

const openai = (url: string): AdapterOptions => ({
  type: 'openai',
  base_url: `${url}/v1`,
  api_key_env: 'OPENAI_API_KEY',
});
const answering = (reply: Reply): Exchange => ({ expect: (request) => void embeddedTexts(request), reply });

describe('output_similar', () => {
  it("asks OpenAI's API for all texts at once, and takes the most similar", async () => {
    const expect_ = (request: Parameters<typeof embeddedTexts>[0]) =>
      expect(embeddedTexts(request)).toEqual(['Done.', 'Finished.', 'Bye.']);
    await using server = await startLoopback([
      {
        expect: expect_,
        reply: embeddings([
          [1, 0],
          [3, 4],
          [0, -2],
        ]),
      },
    ]);
    const result = await evaluate(openai(server.url), { value: ['Finished.', 'Bye.'], min: 0.6 });
    expect(result).toMatchObject({
      status: 'scored',
      passed: true,
      details: 'the similarity is 0.600, at least 0.6, by m; the most similar text is "Finished."',
      // Eight tokens at a thousandth of a dollar.
      metadata: { similarity: expect.closeTo(0.6), judge_cost_usd: expect.closeTo(0.008), judge_model: 'm' },
    });
    expect(result.score).toBeCloseTo(0.6);
  });

  it('fails below `min`, also with a negative cosine', async () => {
    await using server = await startLoopback([
      answering(
        embeddings([
          [1, 0],
          [-1, 0],
        ]),
      ),
    ]);
    expect(await evaluate(openai(server.url))).toMatchObject({ status: 'scored', passed: false, score: 0 });
  });

  it('reads embeddings in the order of their index', async () => {
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [0, 2] },
    ];
    await using server = await startLoopback([answering({ json: { data } })]);
    const result = await evaluate(openai(server.url));
    expect(result).toMatchObject({ score: 1, metadata: { judge_cost_usd: null } });
  });

  it.each<[string, Reply, string]>([
    ['too few embeddings', embeddings([[1, 2]]), 'gave 1 embeddings for 2 texts'],
    ['none', { json: { data: [] } }, 'gave 0 embeddings for 2 texts'],
    ['texts', embeddings(['AAAA', 'AAAA']), 'gave no embeddings for 2 texts'],
    ['lists of different lengths', embeddings([[1, 2], [1]]), 'different lengths'],
    [
      'only zeros',
      embeddings([
        [0, 0],
        [1, 0],
      ]),
      'has no direction',
    ],
    [
      'numbers that are too large',
      embeddings([
        [1e300, 1e300],
        [1e300, 1],
      ]),
      'has no direction',
    ],
    ['no JSON', { text: '<html>' }, 'embedding_failed'],
    ['another document', { json: { hello: 1 } }, 'embeddings'],
    ['a refusal', { json: { error: { message: 'no such model' } }, status: 404 }, 'has no embeddings of the model "m"'],
    ['a wrong key', { json: { error: { message: 'wrong' } }, status: 401 }, 'refused the key'],
  ])('%s: it is unscored, which is no failure of the agent', async (_, reply, reason) => {
    await using server = await startLoopback([answering(reply)]);
    const result = await evaluate(openai(server.url));
    expect(result).toMatchObject({ status: 'unscored', passed: false });
    expect(result.details).toContain(reason);
    expect(JSON.stringify(result)).not.toContain('sk-test-0123456789');
  });

  it('sends a request again that the server was too busy for', async () => {
    const busy = answering({ json: { error: { message: 'busy' } }, status: 503 });
    await using server = await startLoopback([busy, answering(embeddings([[1], [1]]))]);
    expect(await evaluate(openai(server.url))).toMatchObject({ score: 1 });
  });

  it('is cached for every trial with the same answer', async () => {
    const cache = createVoteCache({
      dir: temporaryFolder(),
      withoutSecrets: (value) => value,
      userKey: async () => 'k',
    });
    await using server = await startLoopback([
      answering(
        embeddings([
          [4, 3],
          [1, 0],
        ]),
      ),
    ]);
    const first = await evaluate(openai(server.url), { context: { voteCache: cache, trialNumber: 1 } });
    const second = await evaluate(openai(server.url), { context: { voteCache: cache, trialNumber: 2 }, min: 0.9 });
    expect([first.score, second.score]).toEqual([0.8, 0.8]);
    expect([first.passed, second.passed]).toEqual([true, false]);
    expect(second.metadata).toMatchObject({ cached: true, judge_cost_usd: 0 });
  });

  it('is not asked for without a budget', async () => {
    await using server = await startLoopback([]);
    const budget = createBudget(0.000001);
    const result = await evaluate(openai(server.url), { context: { budget } });
    expect(result).toMatchObject({ status: 'unscored', details: expect.stringContaining('budget') });
  });

  it('is asked through the AI SDK', async () => {
    await using server = await startLoopback([
      answering(
        embeddings([
          [1, 1],
          [1, 1],
        ]),
      ),
    ]);
    const adapter: AdapterOptions = {
      type: 'ai-sdk',
      package: '@ai-sdk/openai-compatible',
      base_url: `${server.url}/v1`,
    };
    expect(await evaluate(adapter)).toMatchObject({ score: expect.closeTo(1), metadata: { judge_cost_usd: 0.008 } });
  });

  it('is asked of a program behind an address, which answers with JSON', async () => {
    const expectMessages = ({ body }: { body: unknown }) => expect(JSON.stringify(body)).toMatch(/Done\..*Finished\./s);
    const reply = { json: { content: '{"embeddings": [[1, 0], [1, 0]]}' } };
    await using server = await startLoopback([{ expect: expectMessages, reply }]);
    expect(await evaluate({ type: 'http', url: server.url })).toMatchObject({ status: 'scored', score: 1 });
  });

  it('is refused by a provider without embeddings, before anything is sent', async () => {
    await using server = await startLoopback([]);
    const adapter: AdapterOptions = { type: 'anthropic', base_url: server.url, api_key_env: 'ANTHROPIC_API_KEY' };
    expect(await evaluate(adapter)).toMatchObject({
      status: 'unscored',
      details: expect.stringContaining('The adapter anthropic has no embeddings'),
    });
  });
});
