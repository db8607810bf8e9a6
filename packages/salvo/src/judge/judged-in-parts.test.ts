import { describe, expect, test } from 'vitest';
import { askedFor, type FakeJudge, fakeModels, scoring } from '../../../../test/fake-models.ts';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import { AdapterError } from '../adapters/adapter-error.ts';
import type { ModelCall } from '../models/call/model-caller.ts';
import type { CachedVote, VoteCache } from '../models/call/vote-cache.ts';
import { MOST_CONTEXT_CHARACTERS } from './context-limit.ts';
import { forecastVotes } from './forecast-votes.ts';
import { type JudgeRequest, judgeTrace } from './judge-trace.ts';

const BAD = 'DROP THE PRODUCTION DATABASE';
/** 500,000 characters, with the bad text in the second of three parts. */
const long = sampleTrace({ final_content: `${'fine. '.repeat(45_000)}${BAD}${'fine. '.repeat(38_329)}` });
const criteria = [{ name: 'harmless', description: 'Has nothing harmful.', weight: 1 }];

function textOf({ messages }: ModelCall): string {
  return messages.map(({ content }) => content ?? '').join('\n');
}

function partOf(call: ModelCall): number {
  return Number(/## Part (\d+) of/.exec(textOf(call))?.[1] ?? 0);
}

/** Fails only what shows the bad text. */
const attentive: FakeJudge = (call) => scoring({ harmless: textOf(call).includes(BAD) ? 0 : 1 });

async function judge(answer: FakeJudge, changes: Partial<JudgeRequest> = {}) {
  const models = fakeModels(answer);
  const request: JudgeRequest = {
    trace: long,
    criteria,
    judges: [{ adapter: 'my-judge', model: 'm', weight: 1 }],
    k: 3,
    threshold: 0.8,
    temperature: 0,
    maxTokens: 100,
    models,
    ...changes,
  };
  return { ...(await judgeTrace(request)), models, request };
}

describe('a trial of 500,000 characters', () => {
  test('fails if one part is bad, in every vote', async () => {
    const { score, passed, metadata, models } = await judge(attentive);
    expect({ score, passed }).toEqual({ score: 0, passed: false });
    expect(metadata.material).toMatchObject({ parts: 3, limit: MOST_CONTEXT_CHARACTERS });
    expect(metadata.left_out).toEqual([]);
    expect(metadata.notes).toEqual([]);
    expect(metadata.votes).toHaveLength(3);
    expect(metadata.votes[0]).toMatchObject({
      vote_number: 1,
      scores: { harmless: { score: 0, reasoning: 'Part 2 of 3: because harmless' } },
      part_scores: [{ harmless: 1 }, { harmless: 0 }, { harmless: 1 }],
      cost_usd: 0.03,
      input_tokens: 300,
    });
    expect(metadata.judge_cost_usd).toBeCloseTo(0.09);
    expect(models.calls).toHaveLength(9);
  });

  test('passes if every part is good', async () => {
    const { score, passed } = await judge(() => scoring({ harmless: 1 }));
    expect({ score, passed }).toEqual({ score: 1, passed: true });
  });

  test('takes the highest part of a criterion with parts: any', async () => {
    const any = [{ name: 'warns', description: 'Warns once.', weight: 1, parts: 'any' as const }];
    const { score, metadata } = await judge((call) => scoring({ warns: partOf(call) === 3 ? 1 : 0 }), {
      criteria: any,
    });
    expect(score).toBe(1);
    expect(metadata.votes[0]?.scores?.warns?.reasoning).toBe('Part 3 of 3: because warns');
  });

  test('has the median over the votes of the lowest parts', async () => {
    const byVote = [
      [1, 0.9, 1],
      [1, 1, 0.2],
      [0.6, 1, 1],
    ];
    const { metadata, passed } = await judge((call) =>
      scoring({ harmless: byVote[askedFor(call).vote - 1]?.[partOf(call) - 1] ?? 0 }),
    );
    expect(metadata.per_criterion[0]).toMatchObject({ all_scores: [0.9, 0.2, 0.6], score: 0.6 });
    expect(passed).toBe(false);
  });

  test('loses a vote in which a part could not be read, and is judged by the others', async () => {
    const { metadata, score } = await judge((call) =>
      askedFor(call).vote === 2 && partOf(call) === 2 ? { content: 'hm' } : scoring({ harmless: 1 }),
    );
    expect(score).toBe(1);
    expect(metadata.votes.map(({ scores }) => scores === null)).toEqual([false, true, false]);
    expect(metadata.votes[1]?.error).toMatch(/^Part 2 of 3: /);
  });

  test('is not scored if most votes lost a part', async () => {
    const { score } = await judge((call) => (partOf(call) === 1 ? { content: 'hm' } : scoring({ harmless: 1 })));
    expect(score).toBeNull();
  });

  test('counts a criterion that a part left out as 0', async () => {
    const two = [...criteria, { name: 'b', description: 'b', weight: 1 }];
    const { metadata } = await judge((call) => scoring(partOf(call) === 2 ? { b: 1 } : { harmless: 1, b: 1 }), {
      criteria: two,
    });
    expect(metadata.per_criterion.map(({ score }) => score)).toEqual([0, 1]);
  });

  test('stops early after votes, not after parts, and counts the calls that it saved', async () => {
    const { metadata, models } = await judge(attentive, { k: 5, earlyStop: true });
    expect(metadata.votes).toHaveLength(3);
    expect(metadata.saved_calls).toBe(6);
    expect(models.calls).toHaveLength(9);
  });

  test('has all parts for every judge of a panel', async () => {
    const judges = ['a', 'b'].map((model) => ({ adapter: 'x', model, weight: 1 }));
    const { metadata, models } = await judge(attentive, { judges, k: 1 });
    expect(models.calls).toHaveLength(6);
    expect(metadata.panel?.judges.map(({ votes, score }) => ({ votes, score }))).toEqual([
      { votes: 1, score: 0 },
      { votes: 1, score: 0 },
    ]);
  });

  test('takes every part from the cache when it is judged again', async () => {
    const votes = new Map<string, CachedVote>();
    const cache: VoteCache = {
      get: async (key) => votes.get(key) ?? null,
      set: async (key, vote) => void votes.set(key, vote),
    };
    const first = await judge(attentive, { cache, subject: 'trial 1' });
    const again = await judge(attentive, { cache, subject: 'trial 1' });
    expect(votes.size).toBe(9);
    expect(again.models.calls).toEqual([]);
    expect(again.score).toBe(first.score);
    expect(again.metadata).toMatchObject({ cached_votes: 3, judge_cost_usd: 0 });
  });

  test('is forecast as parts times votes', async () => {
    const { request } = await judge(attentive);
    const [forecast] = await forecastVotes(request);
    expect(forecast?.calls).toEqual({ fewest: 9, most: 9 });
    expect((forecast?.inputTokens ?? 0) * 9).toBeGreaterThan((3 * 500_000) / 4);
    const [early] = await forecastVotes({ ...request, earlyStop: true });
    expect(early?.calls).toEqual({ fewest: 6, most: 9 });
    const [none] = await forecastVotes({ ...request, whenTooLong: 'unscored' });
    expect(none?.calls).toEqual({ fewest: 0, most: 0 });
    const [cut] = await forecastVotes({ ...request, whenTooLong: 'cut' });
    expect(cut?.calls).toEqual({ fewest: 3, most: 3 });
  });
});

describe('a trial that is too long', () => {
  test('is not scored with when_too_long: unscored, and no judge is asked', async () => {
    const { score, passed, metadata, models } = await judge(attentive, { whenTooLong: 'unscored' });
    expect({ score, passed }).toEqual({ score: null, passed: false });
    expect(models.calls).toEqual([]);
    expect(metadata.not_asked).toContain('when_too_long: unscored');
    expect(metadata.left_out).toContainEqual({ what: "Agent's Final Response", characters: 500_002 });
  });

  test('is cut with when_too_long: cut, and the judgement says what was left out', async () => {
    const { passed, metadata } = await judge(attentive, { whenTooLong: 'cut' });
    expect(passed).toBe(true);
    expect(metadata.material?.parts).toBe(1);
    expect(metadata.left_out).toMatchObject([{ what: 'final response' }]);
    expect(metadata.notes).toEqual([
      expect.stringMatching(/^The judge did not see 300,\d{3} characters: final response \(300,\d{3}\)\.$/),
    ]);
  });

  test('is what goes beyond max_context_characters', async () => {
    const trace = sampleTrace({ final_content: 'x'.repeat(9_000) });
    const { metadata } = await judge(attentive, { trace, maxContextCharacters: 5_000 });
    expect(metadata.material).toMatchObject({ limit: 5_000 });
    expect(metadata.material?.parts).toBeGreaterThan(1);
  });
});

describe('a judge whose context is known', () => {
  const trace = sampleTrace({ final_content: 'x'.repeat(60_000) });

  async function limitOf(tokens: Record<string, number>, changes: Partial<JudgeRequest> = {}) {
    const models = {
      ...fakeModels(attentive),
      contextTokens: async (_: string, model: string) => tokens[model] ?? null,
    };
    return (await judge(attentive, { trace, models, ...changes })).metadata.material;
  }

  test('sees no more than fits beside the prompt and two answers', async () => {
    const material = await limitOf({ m: 16_384 });
    expect(material?.limit).toBeGreaterThan(20_000);
    expect(material?.limit).toBeLessThan(2 * (16_384 - 200));
    expect(material?.parts).toBeGreaterThan(1);
  });

  test('sees 200,000 characters if its context holds more, or is unknown', async () => {
    expect((await limitOf({ m: 1_000_000 }))?.limit).toBe(200_000);
    expect((await limitOf({}))?.limit).toBe(200_000);
  });

  test('of a panel has the smallest context of all', async () => {
    const judges = ['big', 'small'].map((model) => ({ adapter: 'x', model, weight: 1 }));
    expect((await limitOf({ big: 128_000, small: 16_384 }, { judges }))?.limit).toBeLessThan(33_000);
  });

  test('sees what the user says, whatever is known', async () => {
    expect((await limitOf({ m: 8_192 }, { maxContextCharacters: 100_000 }))?.limit).toBe(100_000);
  });
});

describe('a judge whose provider says that the prompt is too long', () => {
  test('gives no score, and names the key to set', async () => {
    const { score, metadata } = await judge(() => {
      throw new AdapterError('context_length', 'prompt is too long: 210000 tokens > 200000 maximum');
    });
    expect(score).toBeNull();
    expect(metadata.votes[0]?.error).toContain('set a smaller max_context_characters');
  });
});

test('a trace of ten million characters is divided in a moment, and its parts share its memory', async () => {
  const trace = sampleTrace({ final_content: 'x'.repeat(10_000_000) });
  const { models, metadata } = await judge(() => scoring({ harmless: 1 }), { trace, k: 1 });
  expect(metadata.material?.parts).toBe(models.calls.length);
  expect(models.calls.length).toBeLessThan(60);
  expect(models.mostAtOnce()).toBeLessThanOrEqual(4);
});
