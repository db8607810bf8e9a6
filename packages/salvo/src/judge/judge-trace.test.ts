import { describe, expect, test } from 'vitest';
import { askedFor, type FakeAnswer, type FakeJudge, fakeModels, scoring } from '../../../../test/fake-models.ts';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import { type JudgeRequest, judgeTrace } from './judge-trace.ts';

const criteria = [
  { name: 'kind', description: 'Is kind.', weight: 1 },
  { name: 'short', description: 'Is short.', weight: 1 },
];

async function judge(answer: FakeJudge, changes: Partial<JudgeRequest> = {}) {
  const models = fakeModels(answer);
  const judgement = await judgeTrace({
    trace: sampleTrace(),
    criteria,
    judges: [{ adapter: 'my-judge', model: 'm', weight: 1 }],
    k: 3,
    threshold: 0.8,
    temperature: 0,
    maxTokens: 100,
    models,
    ...changes,
  });
  return { ...judgement, models };
}

const both = (score: number): FakeAnswer => scoring({ kind: score, short: score });
/** The votes by number; null is one that cannot be read, however often the judge is asked. */
const votes =
  (...scores: (number | null)[]): FakeJudge =>
  (call) => {
    const score = scores[askedFor(call).vote - 1] ?? null;
    return score === null ? { content: 'hm' } : both(score);
  };

describe('k votes', () => {
  test('are all under way at once', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const { models, metadata } = await judge(
      async () => {
        asked += 1;
        // No vote is answered before the last one was asked for.
        if (asked === 5) resolve();
        await promise;
        return both(1);
      },
      { k: 5 },
    );
    expect(models.mostAtOnce()).toBe(5);
    expect(metadata.votes.map(({ vote_number }) => vote_number)).toEqual([1, 2, 3, 4, 5]);
  });

  test('become the median of each criterion, and the verdict of the majority', async () => {
    const scores = [
      { kind: 0.9, short: 1 },
      { kind: 0.1, short: 0.9 },
      { kind: 0.8, short: 0.8 },
    ];
    const { score, passed, metadata } = await judge((call) => scoring(scores[askedFor(call).vote - 1] ?? {}));
    expect(score).toBeCloseTo(0.85);
    expect(passed).toBe(true);
    expect(metadata).toMatchObject({
      judge_model: 'm',
      judge_adapter: 'my-judge',
      judge_k: 3,
      judge_cost_usd: 0.03,
      per_criterion: [
        { name: 'kind', score: 0.8, median_score: 0.8, all_scores: [0.9, 0.1, 0.8], weight: 1, range: [0.1, 0.9] },
        { name: 'short', score: 0.9, range: [0.8, 1], reasoning: 'because short' },
      ],
      aggregation: 'median',
      threshold: 0.8,
      dissenting_votes: 1,
      saved_calls: 0,
      cached_votes: 0,
      panel: null,
    });
  });

  test('can be averaged instead, which changes the score and not the verdict', async () => {
    const { score, passed } = await judge(votes(1, 1, 0.1), { aggregation: 'mean' });
    expect(score).toBeCloseTo(0.7);
    expect(passed).toBe(true);
  });

  test('that tie fail', async () => {
    expect(await judge(votes(1, 0), { k: 2 })).toMatchObject({ score: 0.5, passed: false });
  });

  test('see the same material in the same fence, which no other judgement has', async () => {
    const first = await judge(votes(1, 1, 1));
    const second = await judge(votes(1, 1, 1));
    const prompts = ({ models }: typeof first) => models.calls.map(({ messages }) => JSON.stringify(messages));
    expect(new Set(prompts(first)).size).toBe(1);
    expect(prompts(second)[0]).not.toBe(prompts(first)[0]);
  });

  test('have an unknown cost when the price of one is unknown', async () => {
    const { metadata } = await judge((call) => ({ ...both(1), price: askedFor(call).vote === 2 ? null : 0.01 }));
    expect(metadata.judge_cost_usd).toBeNull();
    expect(metadata.votes.map(({ cost_usd }) => cost_usd)).toEqual([0.01, null, 0.01]);
  });
});

describe('a quorum', () => {
  test('is more than half of the votes: one of three may be unreadable', async () => {
    const { score, passed, metadata } = await judge(votes(1, null, 1));
    expect({ score, passed }).toEqual({ score: 1, passed: true });
    expect(metadata.votes[1]).toMatchObject({ scores: null, raw_text: 'hm', repaired: true });
    expect(metadata.per_criterion[0]?.all_scores).toEqual([1, 1]);
    expect(metadata.judge_cost_usd).toBeCloseTo(0.04);
  });

  test('that is missed leaves the trace without a score, however good the one vote is', async () => {
    expect(await judge(votes(1, null, null))).toMatchObject({ score: null, passed: false });
    expect(await judge(votes(1, 1, null, null), { k: 4 })).toMatchObject({ score: null, passed: false });
  });

  test('is missed when the provider is dead', async () => {
    const { score, metadata } = await judge(() => {
      throw new Error('down');
    });
    expect(score).toBeNull();
    expect(metadata.votes.map(({ error }) => error)).toEqual(['down', 'down', 'down']);
    expect(metadata.judge_cost_usd).toBe(0);
  });

  test('of one vote is that vote', async () => {
    expect(await judge(votes(0.9), { k: 1 })).toMatchObject({ score: 0.9, passed: true });
    expect(await judge(votes(null), { k: 1 })).toMatchObject({ score: null });
  });
});

describe('a panel', () => {
  const judges = [
    { adapter: 'one', model: 'strict', weight: 1 },
    { adapter: 'two', model: 'mild', weight: 1 },
  ];
  const panel =
    (strict: FakeAnswer, mild: FakeAnswer): FakeJudge =>
    ({ config }) =>
      config.model === 'strict' ? strict : mild;

  test('casts k votes of each judge, and reports the outcome of each', async () => {
    const answers = panel(scoring({ kind: 0, short: 1 }), scoring({ kind: 1, short: 1 }));
    const { score, passed, metadata, models } = await judge(answers, { judges, k: 3 });
    expect(models.calls.map(({ adapter }) => adapter)).toEqual(['one', 'two', 'one', 'two', 'one', 'two']);
    // Three of six is a tie.
    expect({ score, passed }).toEqual({ score: 0.75, passed: false });
    expect(metadata).toMatchObject({ judge_model: 'strict+mild', judge_adapter: 'one+two', judge_k: 3 });
    expect(metadata.panel?.judges).toMatchObject([
      { judge_adapter: 'one', judge_model: 'strict', votes: 3, readable: 3, score: 0.5, passed: false, cost_usd: 0.03 },
      { judge_adapter: 'two', judge_model: 'mild', votes: 3, readable: 3, score: 1, passed: true, cost_usd: 0.03 },
    ]);
  });

  test('decides by the weights of its judges', async () => {
    const heavy = judges.map((each) => ({ ...each, weight: each.model === 'mild' ? 3 : 1 }));
    expect(await judge(panel(both(0), both(1)), { judges: heavy })).toMatchObject({ score: 1, passed: true });
    expect(await judge(panel(both(1), both(0)), { judges: heavy })).toMatchObject({ score: 0, passed: false });
  });

  test('reports how far its judges agree', async () => {
    const agreed = scoring({ kind: 0, short: 1 });
    const unanimous = await judge(panel(agreed, agreed), { judges });
    expect(unanimous.metadata.panel).toMatchObject({
      pairwise_kappa: [{ a: 'strict', b: 'mild', kappa: 1 }],
      krippendorff_alpha: 1,
    });
    const opposed = await judge(panel(agreed, scoring({ kind: 1, short: 0 })), { judges });
    expect(opposed.metadata.panel?.pairwise_kappa).toEqual([{ a: 'strict', b: 'mild', kappa: -1 }]);
    expect(opposed.metadata.panel?.krippendorff_alpha).toBeLessThan(0);
  });

  test('works without a judge that is down, as long as there is a quorum', async () => {
    const three = [...judges, { adapter: 'three', model: 'dead', weight: 1 }];
    const { score, metadata } = await judge(
      ({ config }) => {
        if (config.model === 'dead') throw new Error('down');
        return scoring({ kind: 1, short: 0 });
      },
      { judges: three, k: 1 },
    );
    expect(score).toBe(0.5);
    expect(metadata.panel?.judges[2]).toMatchObject({ votes: 1, readable: 0, score: null, passed: null });
    expect(metadata.panel?.pairwise_kappa.map(({ kappa }) => kappa)).toEqual([1, null, null]);
  });
});
