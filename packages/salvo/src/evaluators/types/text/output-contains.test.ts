import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { evaluateOutputContains } from './output-contains.ts';

function evaluate(assertion: Record<string, unknown>, final_content: string | null) {
  const parsed = ASSERTION_SCHEMAS.output_contains.parse({ type: 'output_contains', ...assertion });
  return evaluateOutputContains(parsed, sampleTrace({ final_content }), {});
}

describe('output_contains', () => {
  it('looks for the text in the final answer, letter by letter', () => {
    expect(evaluate({ value: 'refund' }, 'Your refund is on its way')).toMatchObject({ score: 1 });
    expect(evaluate({ value: 'Refund' }, 'Your refund is on its way')).toMatchObject({ score: 0, passed: false });
    expect(evaluate({ value: 'Refund', case_sensitive: false }, 'YOUR REFUND')).toMatchObject({ score: 1 });
  });

  it('wants all of a list, and scores the share that is there', () => {
    expect(evaluate({ value: ['a', 'b'] }, 'a and b')).toMatchObject({ score: 1 });
    expect(evaluate({ value: ['a', 'x', 'y', 'b'] }, 'a and b')).toMatchObject({
      score: 0.5,
      passed: false,
      details: 'the answer does not contain "x", "y": got "a and b"',
    });
  });

  it('says that only upper and lower case differ', () => {
    expect(evaluate({ value: 'Refund' }, 'Your refund')).toMatchObject({
      details: 'the answer does not contain "Refund" (in other case at character 6: "Your refund"): got "Your refund"',
    });
  });

  it('finds a text however spaces and accents are written', () => {
    expect(evaluate({ value: 'au café à 9 h' }, 'au cafe\u0301 à 9\u202fh')).toMatchObject({ score: 1 });
  });

  it('takes an answer that never came for an empty one', () => {
    expect(evaluate({ value: 'a' }, null)).toMatchObject({
      score: 0,
      details: 'the answer does not contain "a": got nothing',
    });
  });

  it('keeps its details short', async () => {
    const value = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(500, 'x'));
    const { details } = await evaluate({ value }, 'y'.repeat(1_000_000));
    expect(details.length).toBeLessThan(600);
    expect(details).toContain('95 more');
  });
});
