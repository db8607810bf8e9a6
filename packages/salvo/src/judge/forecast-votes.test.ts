import { describe, expect, it } from 'vitest';
import { fakeModels, scoring } from '../../../../test/fake-models.ts';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import type { CachedVote, VoteCache } from '../models/call/vote-cache.ts';
import { forecastVotes } from './forecast-votes.ts';
import { type JudgeRequest, judgeTrace } from './judge-trace.ts';

function memoryCache(): VoteCache {
  const votes = new Map<string, CachedVote>();
  return { get: async (key) => votes.get(key) ?? null, set: async (key, vote) => void votes.set(key, vote) };
}

function request(changes: Partial<JudgeRequest> = {}): JudgeRequest {
  return {
    trace: sampleTrace(),
    subject: 'trial 1',
    criteria: [{ name: 'polite', description: 'Is polite.', weight: 1 }],
    judges: [{ adapter: 'openai', model: 'm', weight: 1 }],
    k: 5,
    threshold: 0.8,
    temperature: 0,
    maxTokens: 100,
    models: fakeModels(() => scoring({ polite: 1 })),
    ...changes,
  };
}

describe('the votes a judgement would take', () => {
  it('are k of each judge, and no model is called to find out', async () => {
    const models = fakeModels(() => {
      throw new Error('called');
    });
    const judges = ['a', 'b'].map((model) => ({ adapter: 'openai', model, weight: 1 }));
    const forecasts = await forecastVotes(request({ models, judges, k: 3 }));
    expect(forecasts.map(({ judge, calls }) => [judge.model, calls])).toEqual([
      ['a', { fewest: 3, most: 3 }],
      ['b', { fewest: 3, most: 3 }],
    ]);
    expect(models.calls).toEqual([]);
  });

  it.each([
    [3, 2],
    [5, 3],
    [9, 5],
  ])('of %i with early stop are at least %i', async (k, fewest) => {
    const [forecast] = await forecastVotes(request({ k, earlyStop: true }));
    expect(forecast?.calls).toEqual({ fewest, most: k });
  });

  it('do not include cached votes', async () => {
    const cache = memoryCache();
    await judgeTrace(request({ k: 3, cache }));
    const [forecast] = await forecastVotes(request({ k: 5, cache }));
    expect(forecast).toMatchObject({ cached: 3, calls: { fewest: 2, most: 2 } });
    const [other] = await forecastVotes(request({ k: 5, cache, trace: sampleTrace({ final_content: 'Else.' }) }));
    expect(other).toMatchObject({ cached: 0, calls: { most: 5 } });
  });

  it('have the tokens of the prompt that would be sent, to within a rounding', async () => {
    const models = fakeModels(() => scoring({ polite: 1 }));
    const asked = request({ models, k: 1 });
    const [forecast] = await forecastVotes(asked);
    await judgeTrace(asked);
    const [call] = models.calls;
    const sent = (call?.messages ?? []).reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    expect(forecast?.inputTokens).toBe(Math.ceil((sent + JSON.stringify(call?.tools[0]).length) / 4));
  });
});
