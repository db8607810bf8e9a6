import { describe, expect, it } from 'vitest';
import { sampleCalls, sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { evaluateToolCalled } from './tool-called.ts';

type Calls = Parameters<typeof sampleCalls>;

function evaluate(assertion: Record<string, unknown>, ...calls: Calls) {
  const parsed = ASSERTION_SCHEMAS.tool_called.parse({ type: 'tool_called', tool: 'refund', ...assertion });
  return evaluateToolCalled(parsed, sampleTrace({ tool_calls_made: sampleCalls(...calls) }), {});
}

describe('tool_called', () => {
  it('passes when the tool was called at least once', () => {
    expect(evaluate({}, 'refund')).toMatchObject({ score: 1, details: '"refund" was called once' });
    expect(evaluate({}, 'refund', 'refund')).toMatchObject({ score: 1, details: '"refund" was called 2 times' });
  });

  it('names the tools that were called instead', () => {
    expect(evaluate({})).toMatchObject({
      score: 0,
      details: '"refund" was called 0 times, expected at least once; no tool was called',
    });
    expect(evaluate({}, 'lookup', 'lookup', 'Refund')).toMatchObject({
      score: 0,
      details: '"refund" was called 0 times, expected at least once; called instead: lookup (2x), Refund',
    });
  });

  it('names the arguments it was called with instead', () => {
    expect(evaluate({ arguments: { id: 'A1' } }, ['refund', { id: 'A2' }], ['refund', { id: 'A3' }])).toMatchObject({
      score: 0,
      details:
        '"refund" was called 0 times with {"id":"A1"}, expected at least once; its calls: {"id":"A2"}, {"id":"A3"}',
    });
  });

  it('shows the demanded arguments before others, however long these are', () => {
    const call: Calls[number] = ['refund', { note: 'x'.repeat(500), id: 'A2', why: 'y'.repeat(500) }];
    expect(evaluate({ arguments: { id: 'A1' } }, call)).toMatchObject({
      details: expect.stringContaining('its calls: {"id":"A2","note":"xxx'),
    });
  });

  it('matches arguments by a part of them or by an expression', () => {
    const call: Calls[number] = ['refund', { id: 'A1', amount: 30, meta: { by: 'x' } }];
    expect(evaluate({ arguments: { id: 'A1', meta: { by: 'x' } } }, call)).toMatchObject({ score: 1 });
    expect(evaluate({ arguments: 'amount <= `30`' }, call)).toMatchObject({ score: 1 });
    expect(evaluate({ arguments: 'amount < `30`' }, call)).toMatchObject({ score: 0 });
  });

  it.each([
    [0, 0, 1],
    [0, 1, 0],
    [2, 2, 1],
    [2, 3, 0],
    [{ min: 2 }, 1, 0],
    [{ min: 2 }, 9, 1],
    [{ min: 1, max: 2 }, 3, 0],
    [{ max: 2 }, 2, 1],
    [{ max: 2 }, 0, 0],
    [{ max: 0 }, 0, 1],
    [{ min: 0, max: 2 }, 0, 1],
    [{}, 0, 0],
  ])('times %j with %i calls scores %i', (times, count, score) => {
    expect(evaluate({ times }, ...Array(count).fill('refund'))).toMatchObject({ score, metadata: { calls: count } });
  });

  it('counts only the calls that match', () => {
    const calls: Calls = [
      ['refund', { id: 'A1' }],
      ['refund', { id: 'A2' }],
    ];
    expect(evaluate({ arguments: { id: 'A1' }, times: 1 }, ...calls)).toMatchObject({ score: 1 });
    expect(evaluate({ arguments: { id: 'A1' }, times: 2 }, ...calls)).toMatchObject({
      score: 0,
      details: expect.stringContaining('expected exactly 2 times'),
    });
  });

  it('keeps the list of other calls short', () => {
    const calls = Array.from({ length: 50 }, (_, index): Calls[number] => ['refund', { id: index }]);
    expect(evaluate({ arguments: { id: 99 } }, ...calls)).toMatchObject({
      details: expect.stringContaining('and 45 more'),
    });
  });
});
