import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import type { Trace } from '../../../trace/trace.ts';
import { evaluateCostLimit } from './limits.ts';

function evaluate(max_usd: number, changes: Partial<Trace>) {
  return evaluateCostLimit(
    ASSERTION_SCHEMAS.cost_limit.parse({ type: 'cost_limit', max_usd }),
    sampleTrace(changes),
    {},
  );
}

describe('cost_limit', () => {
  it('allows the limit itself and nothing above', () => {
    expect(evaluate(0.05, { cost_usd: 0.05 })).toMatchObject({ score: 1 });
    expect(evaluate(0.05, { cost_usd: 0.0501 })).toMatchObject({
      score: 0,
      details: 'cost 0.0501 USD, at most 0.05 USD allowed',
    });
    expect(evaluate(0.3, { cost_usd: 0.1 + 0.2 })).toMatchObject({ score: 1 });
    expect(evaluate(0, { cost_usd: 0 })).toMatchObject({ score: 1 });
    expect(evaluate(0, { cost_usd: 1e-9 })).toMatchObject({ score: 0 });
  });

  it('does not score an unknown cost, and says how to make it known', () => {
    expect(evaluate(1, { cost_usd: null })).toMatchObject({
      score: null,
      details: expect.stringContaining('add a price for "sample-model" under "prices" in salvo.yaml'),
    });
    expect(evaluate(1, { cost_usd: null, total_tokens: null })).toMatchObject({
      score: null,
      details: expect.stringContaining('"sample" did not say how many tokens were used'),
    });
  });
});
