import { describe, expect, it } from 'vitest';
import { sampleCalls, sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { evaluateToolNotCalled } from './tool-called.ts';

function evaluate(assertion: Record<string, unknown>, ...calls: Parameters<typeof sampleCalls>) {
  const parsed = ASSERTION_SCHEMAS.tool_not_called.parse({ type: 'tool_not_called', tool: 'delete', ...assertion });
  return evaluateToolNotCalled(parsed, sampleTrace({ tool_calls_made: sampleCalls(...calls) }), {});
}

describe('tool_not_called', () => {
  it('passes when the tool was never called', () => {
    expect(evaluate({})).toMatchObject({ score: 1, details: '"delete" was never called' });
    expect(evaluate({}, 'lookup', 'deleted')).toMatchObject({ score: 1 });
  });

  it('says when it was called and with what', () => {
    expect(evaluate({}, 'lookup', ['delete', { id: 7 }])).toMatchObject({
      score: 0,
      details: '"delete" was called once, expected never: {"id":7} in turn 2',
    });
  });

  it('with arguments forbids only such calls', () => {
    expect(evaluate({ arguments: { force: true } }, ['delete', { force: false }])).toMatchObject({ score: 1 });
    expect(evaluate({ arguments: 'force' }, ['delete', { force: true }])).toMatchObject({ score: 0 });
  });

  it('never passes because of an expression that is broken', () => {
    expect(() => evaluate({ arguments: 'starts_with(id)' }, ['delete', { id: '7' }])).toThrow(/arity/i);
  });
});
