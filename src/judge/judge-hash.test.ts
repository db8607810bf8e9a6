import { describe, expect, it } from 'vitest';
import { type JudgeIdentity, judgeHash } from './judge-hash.ts';

const judge: JudgeIdentity = {
  judges: [{ provider: 'openai', model: 'gpt-4o-mini' }],
  temperature: 0,
  criteria: [{ name: 'accuracy', description: 'Is right.', weight: 1 }],
};
const hash = judgeHash(judge);

describe('judgeHash', () => {
  it('is the SHA-256 of what makes a judge this judge', () => {
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(judgeHash(structuredClone(judge))).toBe(hash);
  });

  it.each<[string, Partial<JudgeIdentity>]>([
    ['provider', { judges: [{ provider: 'azure-openai', model: 'gpt-4o-mini' }] }],
    ['model', { judges: [{ provider: 'openai', model: 'gpt-4o' }] }],
    ['panel', { judges: [...judge.judges, { provider: 'anthropic', model: 'claude' }] }],
    ['temperature', { temperature: 0.1 }],
    ['prompt', { customPrompt: 'Be kind.' }],
    ['templates', { templates: { system: 's', user: 'u', fence: 'f' } }],
    ['sections', { sections: ['response'] }],
    ['system prompt', { includeSystemPrompt: true }],
    ['description of a criterion', { criteria: [{ name: 'accuracy', description: 'Is true.', weight: 1 }] }],
    ['weight of a criterion', { criteria: [{ name: 'accuracy', description: 'Is right.', weight: 2 }] }],
    [
      'scale of a criterion',
      { criteria: [{ name: 'accuracy', description: 'Is right.', weight: 1, scale: { 0: 'no' } }] },
    ],
  ])('changes with the %s', (_, change) => {
    expect(judgeHash({ ...judge, ...change })).not.toBe(hash);
  });

  it('does not change with what says the same', () => {
    const same: Partial<JudgeIdentity>[] = [
      { judges: [{ provider: 'openai', model: 'gpt-4o-mini', weight: 3 }] },
      { criteria: [{ weight: 1, description: 'Is right.', name: 'accuracy', binary: false, reference: undefined }] },
      { sections: ['tool_results', 'task', 'tool_calls', 'response', 'task'], customPrompt: undefined },
      { includeSystemPrompt: false },
    ];
    for (const change of same) expect(judgeHash({ ...judge, ...change })).toBe(hash);
  });
});
