import { expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { evaluateOutputNotMatches } from './output-matches.ts';

function evaluate(pattern: string, final_content: string | null) {
  const parsed = ASSERTION_SCHEMAS.output_not_matches.parse({ type: 'output_not_matches', pattern });
  return evaluateOutputNotMatches(parsed, sampleTrace({ final_content }), {});
}

it('passes if the pattern matches nowhere in the answer', () => {
  expect(evaluate('(?i)refund', 'Your order is on its way')).toMatchObject({ score: 1 });
});

it('quotes the place where the pattern matches', () => {
  expect(evaluate('(?i)A-\\d+', 'The order a-17 is lost')).toMatchObject({
    score: 0,
    details: 'the answer matches /(?i)A-\\d+/ at character 11: "The order a-17 is lost"',
  });
});

it('also looks at the answer with ordinary spaces and composed letters', () => {
  expect(evaluate('As\\san AI', 'As\u00a0an AI')).toMatchObject({ score: 0 });
  expect(evaluate('\u00a0', 'As\u00a0an AI')).toMatchObject({ score: 0 });
});

it.each([null, '', '\n'])('fails without an answer: %j', (answer) => {
  expect(evaluate('secret', answer)).toMatchObject({ score: 0, details: 'there is no answer: it is missing or empty' });
});
