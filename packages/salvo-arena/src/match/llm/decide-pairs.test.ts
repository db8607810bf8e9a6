import { describe, expect, it } from 'vitest';
import { askedFor, type FakeJudge, fakeModels, scoring } from '../../../../../test/fake-models.ts';
import type { CachedVote } from '../../../../salvo/src/models/call/vote-cache.ts';
import { sampleClaim } from '../../../test/match/sample-claim.ts';
import { decidePairs } from './decide-pairs.ts';
import { type LlmOptions, resolveLlm } from './llm-options.ts';

const vulnerabilities = [sampleClaim({ title: 'bucket without encryption' })];
const findings = [sampleClaim({ title: 'no SSE' }), sampleClaim({ title: 'no logs' })];
const pairs = [
  { vulnerability: 0, finding: 0, score: 0.5 },
  { vulnerability: 0, finding: 1, score: 0.3 },
];
const thresholds = { matchThreshold: 0.4, exactThreshold: 0.7 };
const one: LlmOptions = { adapter: 'openai', model: 'm' };

async function decide(answer: FakeJudge, options: LlmOptions = one, signal?: AbortSignal) {
  const caller = fakeModels(answer);
  const llm = resolveLlm(options, thresholds);
  const decided = await decidePairs({ pairs, vulnerabilities, findings, llm, caller, signal });
  return { caller, decided, same: decided.map(({ same }) => same) };
}
const same = (yes: boolean) => scoring({ same_flaw: yes ? 1 : 0 });
const aboutLogs: FakeJudge = ({ messages }) => same(!String(messages[1]?.content).includes('no logs'));

describe('decidePairs', () => {
  it('asks about every pair k times, and takes the majority', async () => {
    const { caller, decided } = await decide(aboutLogs);
    expect(caller.calls).toHaveLength(6);
    expect(decided.map(({ pair, same }) => [pair.finding, same])).toEqual([
      [0, true],
      [1, false],
    ]);
    expect(decided[0]?.opinions).toEqual([
      { adapter: 'openai', model: 'm', same: true, votes: 3, reasoning: 'because same_flaw', error: null },
    ]);
  });

  it('puts the texts of both teams into a fence with a different nonce for every pair', async () => {
    const { caller } = await decide(aboutLogs, { ...one, k: 1 });
    const codes = caller.calls.map(
      ({ messages }) => /BEGIN MATERIAL (\w{16}):/.exec(String(messages[1]?.content))?.[1],
    );
    expect(new Set(codes).size).toBe(2);
  });

  it('leaves a pair undecided when the provider is down, says why, and decides the others', async () => {
    const { decided } = await decide(({ messages }) => {
      if (String(messages[1]?.content).includes('no SSE')) throw new Error('the provider is down');
      return same(false);
    });
    expect(decided.map((each) => each.same)).toEqual([null, false]);
    expect(decided[0]?.opinions[0]).toMatchObject({ same: null, votes: 0, error: 'the provider is down' });
  });

  it('asks again when an answer cannot be read', async () => {
    const { caller, decided } = await decide(
      (call) => (askedFor(call).request === 0 ? { content: 'Well...' } : same(true)),
      { ...one, k: 1 },
    );
    expect(decided.map((each) => each.same)).toEqual([true, true]);
    expect(caller.calls).toHaveLength(4);
  });

  it('asks several models, and follows the majority of those with an opinion', async () => {
    const models = ['a', 'b', 'c'].map((model) => ({ adapter: 'openai', model }));
    const { decided } = await decide(
      ({ config }) => {
        if (config.model === 'c') throw new Error('down');
        return same(true);
      },
      { models, k: 1 },
    );
    expect(decided[0]).toMatchObject({ same: true, opinions: [{ same: true }, { same: true }, { same: null }] });
    const split = await decide(({ config }) => same(config.model === 'a'), { models: models.slice(0, 2), k: 1 });
    expect(split.same).toEqual([null, null]);
  });

  it('pays for a vote once, when there is a cache', async () => {
    const kept = new Map<string, CachedVote>();
    const cache = {
      get: async (key: string) => kept.get(key) ?? null,
      set: async (key: string, vote: CachedVote) => void kept.set(key, vote),
    };
    await decide(aboutLogs, { ...one, cache });
    const { caller, decided } = await decide(aboutLogs, { ...one, cache });
    expect(caller.calls).toHaveLength(0);
    expect(decided.map((each) => each.same)).toEqual([true, false]);
    expect(decided[0]?.votes.map(({ cached }) => cached)).toEqual([true, true, true]);
  });

  it('has no more than eight votes under way at once', async () => {
    const answer = async () => {
      await new Promise(setImmediate);
      return same(true);
    };
    const { caller } = await decide(answer, { ...one, k: 15 });
    expect(caller.calls).toHaveLength(30);
    expect(caller.mostAtOnce()).toBe(8);
  });

  it('does not wait for a dead provider, and leaves the rest undecided', async () => {
    const caller = fakeModels(async () => {
      await new Promise(setImmediate);
      throw new Error('down');
    });
    const many = Array.from({ length: 40 }, (_, finding) => ({ vulnerability: 0, finding, score: 0.5 }));
    const decided = await decidePairs({
      pairs: many,
      vulnerabilities,
      findings: many.map(() => sampleClaim()),
      llm: resolveLlm({ ...one, k: 1 }, thresholds),
      caller,
    });
    expect(decided.map(({ same }) => same)).toEqual(many.map(() => null));
    expect(caller.calls.length).toBeLessThan(16);
    expect(decided[0]?.opinions[0]?.error).toBe('down');
    expect(decided[39]?.opinions[0]?.error).toContain('not asked');
  });

  it('stops when it is aborted, without asking further', async () => {
    const controller = new AbortController();
    const asked = decide(
      ({ config }) => {
        controller.abort(new Error('enough'));
        config.signal?.throwIfAborted();
        return same(true);
      },
      { ...one, k: 15 },
      controller.signal,
    );
    await expect(asked).rejects.toThrow('enough');
  });

  it('asks nothing without pairs', async () => {
    const caller = fakeModels(aboutLogs);
    const llm = resolveLlm(one, thresholds);
    expect(await decidePairs({ pairs: [], vulnerabilities, findings, llm, caller })).toEqual([]);
  });
});
