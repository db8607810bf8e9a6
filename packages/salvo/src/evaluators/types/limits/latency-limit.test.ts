import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { evaluateLatencyLimit } from './limits.ts';

function evaluate(max_seconds: number, latency_seconds: number | null) {
  const parsed = ASSERTION_SCHEMAS.latency_limit.parse({ type: 'latency_limit', max_seconds });
  return evaluateLatencyLimit(parsed, sampleTrace({ latency_seconds }), {});
}

describe('latency_limit', () => {
  it('allows the limit itself and nothing above', () => {
    expect(evaluate(2, 2)).toMatchObject({ score: 1 });
    expect(evaluate(2, 2.0004)).toMatchObject({ score: 0, details: 'took 2.0004 s, at most 2 s allowed' });
  });

  it('cannot score a time that nobody measured', () => {
    expect(evaluate(2, null)).toMatchObject({
      score: null,
      details: expect.stringContaining('the time is unknown, so it cannot be compared with 2 s'),
    });
  });
});
