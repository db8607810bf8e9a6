import { describe, expect, it } from 'vitest';
import { type JudgeIdentity, judgeHash } from './judge-hash.ts';

const judge: JudgeIdentity = {
  judges: [{ adapter: 'openai', model: 'gpt-4o-mini', weight: 1 }],
  temperature: 0,
  criteria: [{ name: 'accuracy', description: 'Is right.', weight: 1 }],
};
const models = { providerName: (adapter: string) => adapter };
const hash = judgeHash(judge, models);

describe('judgeHash', () => {
  it('is a SHA-256, and the same for the same judge', () => {
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(judgeHash(structuredClone(judge), models)).toBe(hash);
  });

  it.each<[string, Partial<JudgeIdentity>]>([
    ['provider', { judges: [{ adapter: 'azure-openai', model: 'gpt-4o-mini', weight: 1 }] }],
    ['model', { judges: [{ adapter: 'openai', model: 'gpt-4o', weight: 1 }] }],
    ['panel', { judges: [...judge.judges, { adapter: 'anthropic', model: 'claude', weight: 1 }] }],
    ['temperature', { temperature: 0.1 }],
    ['prompt', { customPrompt: 'Be kind.' }],
    ['sections', { sections: ['response'] }],
    ['system prompt', { includeSystemPrompt: true }],
    ['description of a criterion', { criteria: [{ name: 'accuracy', description: 'Is true.', weight: 1 }] }],
    ['weight of a criterion', { criteria: [{ name: 'accuracy', description: 'Is right.', weight: 2 }] }],
    [
      'scale of a criterion',
      { criteria: [{ name: 'accuracy', description: 'Is right.', weight: 1, scale: { 0: 'no' } }] },
    ],
  ])('changes with the %s', (_, change) => {
    expect(judgeHash({ ...judge, ...change }, models)).not.toBe(hash);
  });

  it('changes with each of the templates', () => {
    const templates = { system: 's', user: 'u', fence: 'f' };
    const hashes = [
      templates,
      { ...templates, system: 'S' },
      { ...templates, user: 'U' },
      { ...templates, fence: 'F' },
    ].map((each) => judgeHash(judge, models, each));
    expect(new Set([hash, ...hashes]).size).toBe(5);
  });

  it('is the hash of earlier versions: another one would lose every stored calibration', () => {
    const panel: JudgeIdentity = {
      judges: [
        { adapter: 'openai', model: 'a', weight: 1 },
        { adapter: 'anthropic', model: 'b', weight: 2 },
      ],
      temperature: 0.5,
      criteria: [{ name: 'accuracy', description: 'Is right.', weight: 1 }],
      customPrompt: 'Be kind.',
      sections: ['response', 'task'],
      includeSystemPrompt: true,
    };
    expect(judgeHash(panel, models, { system: 's', user: 'u', fence: 'f' })).toBe(
      '058ba45f8e127d81b56e284bdd3a9c9562d282d3922f4c41c2a82b793c58d8e1',
    );
  });

  it('depends on the provider behind an adapter, not on the name that a project gives it', () => {
    const renamed = { ...judge, judges: [{ adapter: 'house', model: 'gpt-4o-mini', weight: 1 }] };
    expect(judgeHash(renamed, { providerName: () => 'openai' })).toBe(hash);
  });

  it('does not change with other spellings of the same judge', () => {
    const same: Partial<JudgeIdentity>[] = [
      { judges: [{ adapter: 'openai', model: 'gpt-4o-mini', weight: 3 }] },
      { criteria: [{ weight: 1, description: 'Is right.', name: 'accuracy', binary: false, reference: undefined }] },
      { sections: ['tool_results', 'task', 'tool_calls', 'response', 'task'], customPrompt: undefined },
      { includeSystemPrompt: false },
    ];
    for (const change of same) expect(judgeHash({ ...judge, ...change }, models)).toBe(hash);
  });
});
