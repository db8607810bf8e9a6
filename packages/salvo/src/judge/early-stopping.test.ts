import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askedFor, fakeModels, scoring } from '../../../../test/fake-models.ts';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import { tried } from '../../../../test/thorough.ts';
import { judgeTrace } from './judge-trace.ts';

const criteria = [{ name: 'kind', description: 'Is kind.', weight: 1 }];
const THRESHOLD = 0.5;

/** A vote's score; null when it cannot be read. */
type Vote = number | null;
interface Matrix {
  /** In the order in which they are cast: judge by judge, then again. */
  votes: Vote[];
  weights: number[];
}

async function judge({ votes, weights }: Matrix, earlyStop: boolean) {
  const models = fakeModels((call) => {
    const score = votes[askedFor(call).vote - 1] ?? null;
    return score === null ? { content: 'hm' } : scoring({ kind: score });
  });
  const { score, passed, metadata } = await judgeTrace({
    trace: sampleTrace(),
    criteria,
    judges: weights.map((weight, index) => ({ adapter: 'a', model: `m${index}`, weight })),
    k: votes.length / weights.length,
    threshold: THRESHOLD,
    temperature: 0,
    maxTokens: 100,
    models,
    earlyStop,
  });
  return { outcome: score === null ? 'unscored' : passed ? 'passed' : 'failed', metadata };
}

const matrix = fc
  .record({
    k: fc.integer({ min: 1, max: 5 }),
    weights: fc.oneof(
      fc.array(fc.constant(1), { minLength: 1, maxLength: 3 }),
      fc.array(fc.constantFrom(0.1, 0.2, 0.3, 1, 2.5), { minLength: 2, maxLength: 4 }),
    ),
  })
  .chain(({ k, weights }) =>
    fc
      .array(fc.constantFrom<Vote>(0, 0.4, 0.6, 1, null), {
        minLength: k * weights.length,
        maxLength: k * weights.length,
      })
      .map((votes): Matrix => ({ votes, weights })),
  );

describe('early stop', () => {
  test('never changes the verdict of all k votes', async () => {
    await fc.assert(
      fc.asyncProperty(matrix, async (votes) => {
        const [all, some] = [await judge(votes, false), await judge(votes, true)];
        expect(some.outcome).toBe(all.outcome);
        const cast = some.metadata.votes.length;
        expect(some.metadata.votes).toEqual(all.metadata.votes.slice(0, cast));
        expect(some.metadata.saved_calls).toBe(votes.votes.length - cast);
        expect(all.metadata.saved_calls).toBe(0);
      }),
      { numRuns: tried(300) },
    );
  });

  test('casts no vote that could not have changed the verdict', async () => {
    await fc.assert(
      fc.asyncProperty(matrix, async (votes) => {
        const { metadata } = await judge(votes, true);
        const last = metadata.votes.length - 1;
        // Before the last wave the outcome was open: other votes would have changed it.
        const outcomes = new Set<string>();
        for (const rest of [0, 1, null]) {
          const changed = votes.votes.map((vote, index) => (index < last ? vote : rest));
          outcomes.add((await judge({ ...votes, votes: changed }, false)).outcome);
        }
        expect(outcomes.size).toBeGreaterThan(1);
      }),
      { numRuns: tried(200) },
    );
  });

  test.each([
    ['two that agree of three', [1, 1, 0], 2],
    ['two that agree to fail of three', [0, 0, 1], 2],
    ['the third when two differ', [1, 0, 1], 3],
    ['three that agree of five', [1, 1, 1, 0, 0], 3],
    ['one more when one of three was unreadable', [1, null, 1], 3],
    ['no further judge when two of three votes were unreadable', [null, null, 1], 2],
    ['five that agree of nine', [1, 1, 1, 1, 1, 0, 0, 0, 0], 5],
    ['the only one', [1], 1],
  ])('asks %s', async (_, votes, cast) => {
    const { metadata } = await judge({ votes, weights: [1] }, true);
    expect(metadata.votes).toHaveLength(cast);
    expect(metadata.saved_calls).toBe(votes.length - cast);
  });

  test('asks as many at once as are needed in any case', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const models = fakeModels(async () => {
      if (models.calls.length === 3) resolve();
      await promise;
      return scoring({ kind: 1 });
    });
    const { metadata } = await judgeTrace({
      trace: sampleTrace(),
      criteria,
      judges: [{ adapter: 'a', model: 'm', weight: 1 }],
      ...{ k: 5, threshold: THRESHOLD, temperature: 0, maxTokens: 100, models, earlyStop: true },
    });
    expect(models.mostAtOnce()).toBe(3);
    expect(metadata.saved_calls).toBe(2);
  });

  test('hears every judge of a panel before it stops', async () => {
    const { metadata } = await judge({ votes: [1, 1, 1, 1, 1, 1, 1, 1, 1], weights: [1, 1, 1] }, true);
    expect(metadata.panel?.judges.map(({ votes }) => votes)).toEqual([2, 2, 1]);
  });
});
