import { describe, expect, it } from 'vitest';
import { judgeDifferences } from './judge-facts.ts';
import { type JudgeIdentity, judgeFacts, judgeHash } from './judge-hash.ts';

const judge: JudgeIdentity = {
  judges: [{ adapter: 'openai', model: 'gpt-4o-mini', weight: 1 }],
  temperature: 0,
  criteria: [{ name: 'accuracy', description: 'Is right.', weight: 1 }],
  k: 3,
  threshold: 0.8,
};
const models = { providerName: (adapter: string) => adapter, identity: (adapter: string) => `${adapter} here` };
const hash = judgeHash(judge, models);

describe('judgeHash', () => {
  it('is a SHA-256, and the same for the same judge', () => {
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(judgeHash(structuredClone(judge), models)).toBe(hash);
  });

  it.each<[string, Partial<JudgeIdentity>]>([
    ['provider', { judges: [{ adapter: 'azure-openai', model: 'gpt-4o-mini', weight: 1 }] }],
    ['model', { judges: [{ adapter: 'openai', model: 'gpt-4o', weight: 1 }] }],
    ['mode', { judges: [{ adapter: 'openai', model: 'gpt-4o-mini', weight: 1, mode: 'decide' }] }],
    ['panel', { judges: [...judge.judges, { adapter: 'anthropic', model: 'claude', weight: 1 }] }],
    ['temperature', { temperature: 0.1 }],
    ['number of votes', { k: 9 }],
    ['threshold', { threshold: 0.7 }],
    ['aggregation', { aggregation: 'mean' }],
    ['early stop', { earlyStop: true }],
    ['prompt', { customPrompt: 'Be kind.' }],
    ['sections', { sections: ['response'] }],
    ['system prompt', { includeSystemPrompt: true }],
    ['rule for long trials', { whenTooLong: 'cut' }],
    ['limit of what it sees', { maxContextCharacters: 50_000 }],
    [
      'part that counts for a criterion',
      { criteria: [{ name: 'accuracy', description: 'Is right.', weight: 1, parts: 'any' }] },
    ],
    ['description of a criterion', { criteria: [{ name: 'accuracy', description: 'Is true.', weight: 1 }] }],
    ['weight of a criterion', { criteria: [{ name: 'accuracy', description: 'Is right.', weight: 2 }] }],
    [
      'scale of a criterion',
      { criteria: [{ name: 'accuracy', description: 'Is right.', weight: 1, scale: { 0: 'no' } }] },
    ],
  ])('changes with the %s', (_, change) => {
    expect(judgeHash({ ...judge, ...change }, models)).not.toBe(hash);
  });

  it('is what it was before long trials were judged in parts, where their rule is the default', () => {
    const criteria = judge.criteria.map((criterion) => ({ ...criterion, parts: 'all' as const }));
    const explicit = { ...judge, criteria, whenTooLong: 'parts' as const, maxContextCharacters: 200_000 };
    expect(judgeHash(explicit, models)).toBe(hash);
    expect(Object.keys(judgeFacts(judge, models))).not.toContain('when_too_long');
  });

  it('changes with each of the templates', () => {
    const templates = { system: 's', user: 'u', fence: 'f' };
    const hashes = [
      templates,
      { ...templates, system: 'S' },
      { ...templates, user: 'U' },
      { ...templates, fence: 'F' },
    ].map((each) => judgeFacts(judge, models, each).prompt);
    expect(new Set(hashes).size).toBe(4);
  });

  it('changes with what answers behind the adapter', () => {
    expect(judgeHash(judge, { ...models, identity: () => 'openai http://127.0.0.1:1/v1' })).not.toBe(hash);
  });

  it('depends on the provider behind an adapter, not on the name that a project gives it', () => {
    const renamed = { ...judge, judges: [{ adapter: 'house', model: 'gpt-4o-mini', weight: 1 }] };
    expect(judgeHash(renamed, { providerName: () => 'openai', identity: () => 'openai here' })).toBe(hash);
  });

  it('does not change with other spellings of the same judge', () => {
    const same: Partial<JudgeIdentity>[] = [
      { judges: [{ adapter: 'openai', model: 'gpt-4o-mini', weight: 3 }] },
      { criteria: [{ weight: 1, description: 'Is right.', name: 'accuracy', binary: false, reference: undefined }] },
      { sections: ['tool_results', 'task', 'tool_calls', 'response', 'task'], customPrompt: undefined },
      { includeSystemPrompt: false, aggregation: 'median', earlyStop: false },
    ];
    for (const change of same) expect(judgeHash({ ...judge, ...change }, models)).toBe(hash);
  });
});

describe('judgeDifferences', () => {
  const facts = judgeFacts(judge, models);

  it('names what differs, each with both values', () => {
    expect(judgeDifferences(judgeFacts({ ...judge, k: 1 }, models), judgeFacts({ ...judge, k: 9 }, models))).toEqual([
      'calibrated with k=1, this run uses k=9',
    ]);
    const elsewhere = judgeFacts(judge, { ...models, identity: () => 'openai http://b/v1' });
    expect(judgeDifferences(facts, elsewhere)).toEqual([
      'calibrated with server=openai here, this run uses server=openai http://b/v1',
    ]);
    expect(judgeDifferences(facts, judgeFacts({ ...judge, customPrompt: 'Be kind.' }, models))).toEqual([
      'calibrated with another prompt',
    ]);
  });

  it('are none for the same judge, and at least one for every other hash', () => {
    expect(judgeDifferences(facts, structuredClone(facts))).toEqual([]);
    const changes: Partial<JudgeIdentity>[] = [
      { judges: [...judge.judges, ...judge.judges] },
      { temperature: 1 },
      { threshold: 0.5 },
      { earlyStop: true },
      { aggregation: 'mean' },
      { sections: ['response'] },
      { criteria: [{ name: 'other', description: 'Is right.', weight: 1 }] },
    ];
    for (const change of changes) {
      expect(judgeDifferences(facts, judgeFacts({ ...judge, ...change }, models)).length).toBeGreaterThan(0);
    }
  });
});
