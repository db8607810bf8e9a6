import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { evaluateOutputNotContains } from './output-contains.ts';

function evaluate(assertion: Record<string, unknown>, final_content: string | null) {
  const parsed = ASSERTION_SCHEMAS.output_not_contains.parse({ type: 'output_not_contains', ...assertion });
  return evaluateOutputNotContains(parsed, sampleTrace({ final_content }), {});
}

describe('output_not_contains', () => {
  it('passes if the text is nowhere in the answer, letter by letter', () => {
    expect(evaluate({ value: 'Refund' }, 'Your refund is on its way')).toMatchObject({ score: 1 });
    expect(evaluate({ value: 'Refund', case_sensitive: false }, 'No REFUND!')).toMatchObject({
      score: 0,
      passed: false,
      details: 'the answer contains "Refund" at character 4: "No REFUND!"',
    });
  });

  it.each([
    ['As an AI', 'As an\u00a0AI, I cannot'],
    ['café', 'the cafe\u0301'],
    ['password', 'pass\u00adword'],
  ])('finds %j however spaces and accents are written', (value, answer) => {
    expect(evaluate({ value }, answer)).toMatchObject({ score: 0, passed: false });
  });

  it('tells upper from lower case, unless it is told not to', () => {
    expect(evaluate({ value: 'As an AI' }, 'AS AN AI')).toMatchObject({ score: 1 });
  });

  it('quotes the place where the text was found', () => {
    const answer = `${'I looked into your order. '.repeat(5)}You get a refund today. ${'Goodbye. '.repeat(20)}`;
    expect(evaluate({ value: 'refund' }, answer)).toMatchObject({
      score: 0,
      details:
        'the answer contains "refund" at character 141: "…order. I looked into your order. You get a refund today. Goodbye. Goodbye. Goodbye. Goodbye.…"',
    });
  });

  it('wants none of a list, and scores the share that is not there', () => {
    expect(evaluate({ value: ['x', 'y'] }, 'a and b')).toMatchObject({ score: 1 });
    expect(evaluate({ value: ['a', 'x', 'y', 'z'] }, 'a and b')).toMatchObject({ score: 0.75, passed: false });
  });

  it.each([null, '', ' \n'])('fails without an answer: %j', (answer) => {
    expect(evaluate({ value: 'secret' }, answer)).toMatchObject({
      score: 0,
      passed: false,
      details: 'there is no answer: it is missing or empty',
    });
  });
});
