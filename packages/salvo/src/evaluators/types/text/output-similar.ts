import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import type { Evaluator } from '../../evaluator.ts';

export const evaluateOutputSimilar: Evaluator<AssertionOf<'output_similar'>> = () => ({
  score: null,
  details: 'not yet',
});
