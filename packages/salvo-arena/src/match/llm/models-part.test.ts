import { describe, expect, it } from 'vitest';
import { fakeModels, scoring } from '../../../../../test/fake-models.ts';
import { sampleClaim } from '../../../test/match/sample-claim.ts';
import { decidePairs } from './decide-pairs.ts';
import { resolveLlm } from './llm-options.ts';
import { modelsPart } from './models-part.ts';

const models = ['a', 'b'].map((model) => ({ adapter: 'openai', model }));
const llm = resolveLlm({ models, k: 1 }, { matchThreshold: 0.4, exactThreshold: 0.7 });
/** The findings were given in the opposite order. */
const input = {
  vulnerabilities: { claims: [], positions: [0] },
  findings: { claims: [], positions: [9, 8, 7, 6, 5] },
  sizes: { vulnerabilities: 1, findings: 10 },
  labels: [{ id: 'v', difficulty: '', technique: '', weakness: '' }],
};

/** What each model says of each finding; null is a dead provider. */
async function part(says: Record<string, (boolean | null)[]>, price: number | null = 0.01) {
  const count = says.a?.length ?? 0;
  const caller = fakeModels(({ config, messages }) => {
    const finding = Number(/title: finding (\d+)/.exec(String(messages[1]?.content))?.[1]);
    const same = says[config.model]?.[finding] ?? null;
    if (same === null) throw new Error('down');
    return { ...scoring({ same_flaw: same ? 1 : 0 }), price };
  });
  const decided = await decidePairs({
    pairs: Array.from({ length: count }, (_, finding) => ({ vulnerability: 0, finding, score: 0.5 })),
    vulnerabilities: [sampleClaim()],
    findings: Array.from({ length: count }, (_, finding) => sampleClaim({ title: `finding ${finding}` })),
    llm,
    caller,
  });
  return modelsPart({ input, models, decided, leftOut: 2 });
}

describe('the part of the models', () => {
  it('says how many pairs were asked about, left undecided and left out', async () => {
    expect(await part({ a: [true, true, null], b: [true, false, null] })).toMatchObject({
      asked: 3,
      undecided: 2,
      leftOut: 2,
    });
  });

  it('lists the decisions in the order of the input', async () => {
    const { decisions } = await part({ a: [true, false], b: [true, false] });
    expect(decisions.map(({ findingIndex, same, score }) => [findingIndex, same, score])).toEqual([
      [8, false, 0.5],
      [9, true, 0.5],
    ]);
  });

  it('tells how far two models agree, over the pairs both could decide', async () => {
    const { kappas } = await part({ a: [true, true, false, false, true], b: [true, false, false, false, null] });
    expect(kappas).toEqual([{ models: ['openai/a', 'openai/b'], kappa: 0.5 }]);
    expect((await part({ a: [true, true], b: [true, true] })).kappas[0]?.kappa).toBeNull();
  });

  it('adds up the cost, which is unknown when a part is unknown', async () => {
    expect(await part({ a: [true, false], b: [true, null] })).toMatchObject({
      calls: 4,
      cachedVotes: 0,
      inputTokens: 300,
      outputTokens: 60,
      costUsd: expect.closeTo(0.03, 9),
    });
    expect((await part({ a: [true], b: [true] }, null)).costUsd).toBeNull();
  });
});
