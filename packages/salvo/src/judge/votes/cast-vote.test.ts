import { describe, expect, test } from 'vitest';
import { askedFor, type FakeJudge, fakeModels, scoring } from '../../../../../test/fake-models.ts';
import { judgedPart } from '../../../../../test/judged-part.ts';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { type Ballot, ballotsFor, castVote } from './cast-vote.ts';

const criteria = [
  { name: 'kind', description: 'Is kind.', weight: 1 },
  { name: 'short', description: 'Is short.', weight: 3 },
];

function ballotFor(judge: FakeJudge, changes: Partial<Ballot> = {}) {
  const models = fakeModels(judge);
  const trace = sampleTrace();
  const request = {
    trace,
    criteria,
    judges: [{ adapter: 'my-judge', model: 'm', weight: 1 }],
    k: 1,
    threshold: 0.8,
    temperature: 0.3,
    maxTokens: 99,
    models,
    seed: 7,
    trialNumber: 2,
  };
  const [ballot] = ballotsFor(request, { parts: [judgedPart({ trace })] });
  if (!ballot) throw new Error('no ballot');
  return { models, ballot: { ...ballot, ...changes } };
}

describe('a vote', () => {
  test('is asked for once, with the tool, the settings and the number of the vote', async () => {
    const { models, ballot } = ballotFor(() => scoring({ kind: 0.6, short: 1 }));
    expect(await castVote(ballot)).toEqual({
      vote_number: 1,
      judge_adapter: 'my-judge',
      judge_model: 'm',
      scores: {
        kind: { score: 0.6, reasoning: 'because kind' },
        short: { score: 1, reasoning: 'because short' },
      },
      score: 0.9,
      passed: true,
      raw_text: null,
      input_tokens: 100,
      output_tokens: 20,
      latency_seconds: 0.5,
      cost_usd: 0.01,
      repaired: false,
      retries: 0,
      cached: false,
      error: null,
    });
    expect(models.calls).toHaveLength(1);
    expect(models.calls[0]).toMatchObject({
      adapter: 'my-judge',
      tools: [{ name: 'score_criteria' }],
      config: {
        model: 'm',
        temperature: 0.3,
        maxTokens: 99,
        extras: { tool_choice: { type: 'function', function: { name: 'score_criteria' } } },
        conversation: { seed: 7, trialNumber: 2, voteNumber: 1, request: 0 },
      },
    });
    expect(models.calls[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  test('that leaves out a criterion is asked for once more', async () => {
    const { models, ballot } = ballotFor((call) =>
      scoring(askedFor(call).request === 0 ? { short: 1 } : { short: 1, kind: 1 }),
    );
    expect(await castVote(ballot)).toMatchObject({ score: 1, repaired: true });
    expect(models.calls[1]?.messages.at(-1)?.content).toContain('it has no score for kind');
  });

  test('that leaves it out again counts it as 0, but keeps no score for it', async () => {
    const { models, ballot } = ballotFor(() => scoring({ short: 1 }));
    const vote = await castVote(ballot);
    expect(vote).toMatchObject({ score: 0.75, passed: false, error: null });
    expect(Object.keys(vote.scores ?? {})).toEqual(['short']);
    expect(models.calls).toHaveLength(2);
  });

  test('that leaves out more than half of the criteria, by number, is no vote', async () => {
    const three = [...criteria, { name: 'clear', description: 'Is clear.', weight: 1 }];
    const models = fakeModels(() => scoring({ short: 1 }));
    const judges = [{ adapter: 'a', model: 'm', weight: 1 }];
    const trace = sampleTrace();
    const [ballot] = ballotsFor(
      { trace, criteria: three, judges, k: 1, threshold: 0, temperature: 0, maxTokens: 99, models },
      { parts: [judgedPart({ trace })] },
    );
    expect(ballot && (await castVote(ballot))).toMatchObject({
      scores: null,
      repaired: true,
      error: 'The answer leaves out criteria.',
    });
    expect(models.calls).toHaveLength(2);
  });

  test.each([3, 85, '4', -4])('with the score %j, on another scale, is asked for once more', async (score) => {
    const { models, ballot } = ballotFor((call) =>
      askedFor(call).request === 0 ? scoring({ kind: { score }, short: 1 }) : scoring({ kind: 0.3, short: 1 }),
    );
    expect(await castVote(ballot)).toMatchObject({ scores: { kind: { score: 0.3 } }, repaired: true });
    expect(models.calls[1]?.messages.at(-1)?.content).toContain('scores are numbers from 0.0 to 1.0');
  });

  test('that stays on another scale is no vote', async () => {
    const { models, ballot } = ballotFor(() => scoring({ kind: { score: 3 }, short: { score: 10 } }));
    expect(await castVote(ballot)).toMatchObject({
      scores: null,
      error: 'The answer has a score on another scale: scores are numbers from 0.0 to 1.0.',
    });
    expect(models.calls).toHaveLength(2);
  });

  test('counts the requests that failed and were sent again, also when there is no answer in the end', async () => {
    const { ballot } = ballotFor((call) => {
      call.onRetry?.();
      call.onRetry?.();
      return scoring({ kind: 1, short: 1 });
    });
    expect(await castVote(ballot)).toMatchObject({ score: 1, retries: 2, repaired: false });
    const dead = ballotFor((call) => {
      call.onRetry?.();
      throw new Error('429');
    });
    expect(await castVote(dead.ballot)).toMatchObject({ scores: null, retries: 1, error: '429' });
  });

  test('of a rubric without weight never passes, not even at threshold 0', async () => {
    const weightless = criteria.map((criterion) => ({ ...criterion, weight: 0 }));
    const { ballot } = ballotFor(() => scoring({ kind: 1 }), { criteria: weightless, threshold: 0 });
    expect(await castVote(ballot)).toMatchObject({ score: 0, passed: false });
  });

  test('can be read from text when there is no tool call', async () => {
    const { models, ballot } = ballotFor(() => ({ content: 'Here: {"kind": 1, "short": {"score": "0.5"}}' }));
    expect(await castVote(ballot)).toMatchObject({ score: 0.625, repaired: false });
    expect(models.calls).toHaveLength(1);
  });
});

describe('an answer that cannot be read', () => {
  test('gets one follow-up that quotes it and says what was wrong, which any provider accepts', async () => {
    const { models, ballot } = ballotFor((call) =>
      askedFor(call).request === 0
        ? { ...scoring({ kind: { score: 'high' } }), content: 'Let me see.' }
        : scoring({ kind: 1, short: 1 }),
    );
    const vote = await castVote(ballot);
    expect(vote).toMatchObject({
      score: 1,
      repaired: true,
      raw_text: null,
      error: null,
      cost_usd: 0.02,
      input_tokens: 200,
      output_tokens: 40,
      latency_seconds: 1,
    });
    const [first, second, ...more] = models.calls;
    expect(more).toEqual([]);
    expect(second?.config.conversation?.request).toBe(1);
    expect(second?.tools).toEqual(first?.tools);
    expect(second?.messages.slice(0, 2)).toEqual(first?.messages);
    expect(second?.messages.slice(2)).toEqual([
      // As text: providers refuse a tool call without a result.
      { role: 'assistant', content: 'Let me see.\nscore_criteria({"kind":{"score":"high"}})', tool_calls: [] },
      {
        role: 'user',
        content: expect.stringMatching(/could not be read.*kind has no number.*"high".*score_criteria/s),
      },
    ]);
  });

  test('is not asked about a third time; the last answer is kept as it was', async () => {
    const { models, ballot } = ballotFor((call) => ({ content: `no idea, ${askedFor(call).request}` }));
    expect(await castVote(ballot)).toMatchObject({
      scores: null,
      score: null,
      passed: null,
      repaired: true,
      raw_text: 'no idea, 1',
      cost_usd: 0.02,
      error: 'The answer neither called score_criteria nor held a JSON object.',
    });
    expect(models.calls).toHaveLength(2);
  });

  test('is never an empty message in the follow-up', async () => {
    const { models, ballot } = ballotFor(() => ({ content: ' \n ' }));
    expect(await castVote(ballot)).toMatchObject({ raw_text: '', error: 'The answer was empty.' });
    expect(models.calls[1]?.messages[2]).toMatchObject({ role: 'assistant', content: '(no answer)' });
  });

  test('that broke off at the limit of tokens says so', async () => {
    const cut = { id: 'c', name: 'score_criteria', arguments: {}, raw_arguments: '{"kind": {"sc' };
    const { models, ballot } = ballotFor(() => ({ tool_calls: [cut], finish_reason: 'length' }));
    const vote = await castVote(ballot);
    expect(vote.error).toMatch(/not a JSON object; it was cut off at the limit of tokens \(max_tokens\)/);
    expect(vote.raw_text).toBe('score_criteria({"kind": {"sc)');
    expect(models.calls[1]?.messages[3]?.content).toContain('be brief');
  });

  test('is still counted in the cost when the follow-up fails', async () => {
    const { ballot } = ballotFor((call) => {
      if (askedFor(call).request > 0) throw new Error('overloaded');
      return { content: 'hm' };
    });
    expect(await castVote(ballot)).toMatchObject({
      scores: null,
      raw_text: 'hm',
      error: 'overloaded',
      cost_usd: 0.01,
      repaired: true,
    });
  });

  test('of any length is quoted and kept only in part', async () => {
    const { models, ballot } = ballotFor(() => ({ content: 'x'.repeat(1_000_000) }));
    const vote = await castVote(ballot);
    expect(vote.raw_text).toHaveLength(20_000);
    expect(models.calls[1]?.messages[2]?.content).toHaveLength(20_000);
  });
});

describe('a judge that gives no answer', () => {
  test('gives no vote but a reason, and is not followed up', async () => {
    const { models, ballot } = ballotFor(() => {
      throw new Error('openai is down');
    });
    expect(await castVote(ballot)).toMatchObject({
      scores: null,
      raw_text: null,
      error: 'openai is down',
      cost_usd: 0,
      input_tokens: null,
      repaired: false,
    });
    expect(models.calls).toHaveLength(1);
  });

  test.each([
    [{ content: "I can't help with that.", finish_reason: 'refusal' }, "The judge refused: I can't help with that."],
    [{ finish_reason: 'refusal' }, 'The judge refused, without a reason'],
    [
      { ...scoring({ kind: 1, short: 1 }), finish_reason: 'content_filter' },
      "The judge gave no answer: the provider's content filter blocked it",
    ],
  ])('that refuses is not asked twice, and the error says so: %j', async (answer, error) => {
    const { models, ballot } = ballotFor(() => answer);
    expect(await castVote(ballot)).toMatchObject({ scores: null, repaired: false, cost_usd: 0.01, error });
    expect(models.calls).toHaveLength(1);
  });
});

test('an unknown price makes the cost of the vote unknown, not 0', async () => {
  const { ballot } = ballotFor((call) =>
    askedFor(call).request === 0 ? { content: 'hm', price: null } : scoring({ kind: 1, short: 1 }),
  );
  expect(await castVote(ballot)).toMatchObject({ repaired: true, cost_usd: null });
});
