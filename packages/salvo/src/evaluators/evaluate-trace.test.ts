import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import { type Scenario, scenarioFieldsSchema } from '../scenario/schema/scenario-schema.ts';
import { evalResultSchema } from './eval-result.ts';
import { evaluateTrace } from './evaluate-trace.ts';
import type { Evaluation } from './evaluator.ts';
import { registerEvaluator } from './registry.ts';

function scenarioOf(...assertions: ({ type: string } & Record<string, unknown>)[]): Scenario {
  return {
    ...scenarioFieldsSchema.parse({ prompt: 'Please.' }),
    name: 'sample',
    assertions: assertions.map((assertion): Assertion => ({ weight: 1, required: false, ...assertion })),
  };
}

const evaluate = (...assertions: ({ type: string } & Record<string, unknown>)[]) =>
  evaluateTrace({ scenario: scenarioOf(...assertions), trace: sampleTrace() });

const contains = (value: string) => ({ type: 'output_contains', value, case_sensitive: true });

registerEvaluator('prepared', ({ evaluation }) => evaluation as Evaluation);
const given = (evaluation: Evaluation, fields = {}) => ({ type: 'prepared', evaluation, ...fields });

describe('evaluateTrace', () => {
  it('gives a result for every assertion, in the order of the file', async () => {
    const results = await evaluate(
      { ...contains('Done'), weight: 3, required: true },
      { ...contains('x'), id: 'has x' },
    );
    expect(results).toEqual([
      {
        assertion_type: 'output_contains',
        assertion_id: 'output_contains:"Done"',
        score: 1,
        passed: true,
        weight: 3,
        required: true,
        status: 'scored',
        details: 'the answer contains "Done"',
        metadata: {},
      },
      expect.objectContaining({ assertion_id: 'has x', score: 0, passed: false, status: 'scored' }),
    ]);
    for (const result of results) expect(evalResultSchema.safeParse(result).success).toBe(true);
  });

  it('keeps the order though slow assertions end last', async () => {
    registerEvaluator('slow', async ({ turns }) => {
      for (let turn = 0; turn < Number(turns); turn += 1) await new Promise(setImmediate);
      return { score: 1, details: String(turns) };
    });
    const results = await evaluate({ type: 'slow', turns: 5 }, contains('Done'), { type: 'slow', turns: 1 });
    expect(results.map(({ details }) => details)).toEqual(['5', 'the answer contains "Done"', '1']);
  });

  it('has no results for a scenario without assertions', async () => {
    expect(await evaluate()).toEqual([]);
  });

  it('leaves an assertion unscored when its evaluator throws, and the others alone', async () => {
    registerEvaluator('thrower', () => {
      throw new Error('the database is down');
    });
    const [thrown, other] = await evaluate({ type: 'thrower', required: true }, contains('Done'));
    expect(thrown).toMatchObject({ status: 'unscored', score: 0, passed: false, details: 'the database is down' });
    expect(other).toMatchObject({ status: 'scored', passed: true });
  });

  it('leaves an assertion of an unknown type unscored', async () => {
    expect(await evaluate({ type: 'output_contain' })).toMatchObject([
      { status: 'unscored', details: expect.stringContaining('did you mean "output_contains"?') },
    ]);
  });

  it.each<[string, unknown]>([
    ['a score above 1', { score: 1.5, details: '' }],
    ['a score that is no number', { score: Number.NaN, details: '' }],
    ['a score in words', { score: 'good', details: '' }],
    ['no score', { details: '' }],
    ['no details', { score: 1 }],
    ['nothing', undefined],
  ])('leaves an assertion unscored when its evaluator gives %s', async (name, answer) => {
    registerEvaluator(name, () => answer as Evaluation);
    expect(await evaluate({ type: name })).toMatchObject([
      { status: 'unscored', passed: false, score: 0, details: expect.stringContaining('the evaluator gave') },
    ]);
  });

  it('passes when the evaluator says so', async () => {
    const results = await evaluate(
      given({ score: 0.1, passed: true, details: '' }),
      given({ score: 1, passed: false, details: '' }),
      given({ score: null, passed: true, details: '' }),
    );
    expect(results.map(({ passed }) => passed)).toEqual([true, false, false]);
  });

  it('passes from pass_at when the evaluator gives only a score', async () => {
    const results = await evaluate(
      given({ score: 0.1 + 0.7 - 1e-16, details: '' }),
      given({ score: 0.79, details: 'so so' }),
      given({ score: 0.9, details: '' }, { pass_at: 1 }),
      given({ score: 0.5, details: '' }, { pass_at: '50%' }),
      given({ score: 0, details: 'nothing' }),
    );
    expect(results.map(({ passed }) => passed)).toEqual([true, false, false, true, false]);
    expect(results.map(({ details }) => details)).toEqual([
      '',
      'so so (it passes from 0.8)',
      ' (it passes from 1)',
      '',
      'nothing',
    ]);
  });

  it('shortens details without end', async () => {
    registerEvaluator('chatty', () => ({ score: 1, details: 'x'.repeat(1_000_000) }));
    const [result] = await evaluate({ type: 'chatty' });
    expect(result?.details).toHaveLength(4001);
  });
});
