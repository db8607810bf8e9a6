import { describe, expect, it } from 'vitest';
import { type LlmOptions, resolveLlm } from './llm-options.ts';

const thresholds = { matchThreshold: 0.4, exactThreshold: 0.7 };
const one = { adapter: 'openai', model: 'm' };
const resolve = (options: LlmOptions) => resolveLlm(options, thresholds);

describe('resolveLlm', () => {
  it('takes one model, three votes each, and what lies around the match threshold', () => {
    const { band, ...llm } = resolve(one);
    expect(llm).toEqual({
      models: [one],
      k: 3,
      maxPairs: 200,
      temperature: 0,
      maxTokens: 1024,
      caller: null,
      cache: null,
    });
    expect(band[0]).toBeCloseTo(0.25, 12);
    expect(band[1]).toBe(0.7);
  });

  it('takes several models', () => {
    const models = [one, { adapter: 'anthropic', model: 'm' }];
    expect(resolve({ models, k: 1, band: [0, 1] })).toMatchObject({ models, k: 1, band: [0, 1] });
  });

  it.each([
    [{ ...one, k: 0 }, 'k must be'],
    [{ ...one, k: 1.5 }, 'k must be'],
    [{ ...one, maxPairs: -1 }, 'maxPairs must be'],
    [{ ...one, maxTokens: 0 }, 'maxTokens must be'],
    [{ ...one, temperature: Number.NaN }, 'temperature must be'],
    [{ ...one, band: [0.7, 0.4] as const }, 'the lower one first'],
    [{ ...one, band: [Number.NaN, 0.4] as const }, 'band must be'],
    [{ models: [] }, 'at least one'],
    [{ models: [one, { ...one }] }, 'openai/m is named twice'],
    [{ adapter: '', model: 'm' }, 'needs an adapter'],
  ] satisfies [LlmOptions, string][])('refuses %j', (options, message) => {
    expect(() => resolve(options)).toThrow(expect.objectContaining({ code: 'OPTIONS_INVALID' }));
    expect(() => resolve(options)).toThrow(message);
  });
});
