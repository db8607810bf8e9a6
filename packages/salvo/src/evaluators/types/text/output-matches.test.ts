import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { evaluateOutputMatches } from './output-matches.ts';

function evaluate(pattern: string, final_content: string | null) {
  const parsed = ASSERTION_SCHEMAS.output_matches.parse({ type: 'output_matches', pattern });
  return evaluateOutputMatches(parsed, sampleTrace({ final_content }), {});
}

describe('output_matches', () => {
  it('finds the pattern anywhere in the answer', () => {
    expect(evaluate('A-\\d+', 'Order A-17 is lost')).toMatchObject({ score: 1 });
    expect(evaluate('^A-\\d+', 'Order A-17 is lost')).toMatchObject({
      score: 0,
      details: 'the answer does not match /^A-\\d+/: got "Order A-17 is lost"',
    });
    expect(evaluate('(?i)order', 'ORDER')).toMatchObject({ score: 1 });
  });

  it('takes the answer as it is, and says if only spaces or accents keep it from matching', () => {
    expect(evaluate('^[ -~]*$', '10\u00a0EUR')).toMatchObject({
      score: 0,
      details: expect.stringContaining('(it would match with ordinary spaces and composed letters)'),
    });
  });

  it('takes an answer that never came for an empty one', () => {
    expect(evaluate('.', null)).toMatchObject({ score: 0 });
    expect(evaluate('^$', null)).toMatchObject({ score: 1 });
  });

  it('does not hang on a pattern made to', () => {
    expect(evaluate('^(a|a)*$', `${'a'.repeat(50_000)}b`)).toMatchObject({ score: 0 });
  });

  it('throws on a pattern that cannot be compiled', () => {
    expect(() => evaluate('(', 'x')).toThrow('cannot be compiled');
  });
});
