import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../scenario/schema/assertion-schema.ts';
import { assertionTypeSchema } from '../scenario/schema/assertion-types.ts';
import { EVALUATOR_REGISTRY, getEvaluator, registerEvaluator } from './registry.ts';

describe('the evaluator registry', () => {
  it('has an evaluator for every built-in assertion type', () => {
    expect([...EVALUATOR_REGISTRY.keys()]).toEqual(expect.arrayContaining(Object.keys(ASSERTION_SCHEMAS)));
  });

  it('suggests the type that was meant', () => {
    expect(() => getEvaluator('tool_caled')).toThrow(
      'There is no assertion type "tool_caled": did you mean "tool_called"?',
    );
    expect(() => getEvaluator('zzz')).toThrow('use one of jmespath, tool_called');
    expect(() => getEvaluator('__proto__')).toThrow('no assertion type');
  });

  it('takes new types, and makes them known to scenarios', async () => {
    const schema = z.strictObject({ word: z.string() });
    registerEvaluator(
      'polite',
      ({ word }, trace) => ({ score: trace.final_content === word.trimEnd() ? 1 : 0, details: 'x' }),
      { schema },
    );
    const assertion = { type: 'polite', word: 'Done.', weight: 1, required: false };
    expect(await getEvaluator('polite')(assertion, sampleTrace(), {})).toEqual({ score: 1, details: 'x' });
    const inScenarios = assertionTypeSchema('polite');
    expect(inScenarios?.parse({ type: 'polite', word: 'a', weight: 2 })).toEqual({
      ...assertion,
      word: 'a',
      weight: 2,
    });
    expect(inScenarios?.safeParse({ type: 'polite', wrd: 'a' }).success).toBe(false);
  });

  it('does not let a built-in type be replaced', () => {
    expect(() => registerEvaluator('jmespath', () => ({ score: 1, details: '' }))).toThrow('built-in');
  });

  it('does not let a type be registered twice', () => {
    const register = () => registerEvaluator('once', () => ({ score: 1, details: '' }));
    register();
    expect(register).toThrow('The assertion type "once" is registered already');
  });

  it('is shared by all copies of Salvo in the process', async () => {
    registerEvaluator('shared', () => ({ score: 1, details: 'first copy' }));
    vi.resetModules();
    const copy = await import('./registry.ts');
    expect(copy.registerEvaluator).not.toBe(registerEvaluator);
    const assertion = { type: 'shared', weight: 1, required: false };
    expect(await copy.getEvaluator('shared')(assertion, sampleTrace(), {})).toMatchObject({ details: 'first copy' });
  });

  it('does not hand an assertion to the wrong evaluator', () => {
    const assertion = { type: 'cost_limit', max_usd: 1, weight: 1, required: false };
    expect(() => getEvaluator('jmespath')(assertion, sampleTrace(), {})).toThrow('expected a jmespath assertion');
  });
});
