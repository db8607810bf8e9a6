import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCalls, sampleTrace } from '../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../scenario/schema/assertion-schema.ts';
import { evaluateToolSequence } from './tool-sequence.ts';

function evaluate(mode: string | undefined, sequence: string[], calls: string[]) {
  const assertion = ASSERTION_SCHEMAS.tool_sequence.parse({ type: 'tool_sequence', sequence, ...(mode && { mode }) });
  return evaluateToolSequence(assertion, sampleTrace({ tool_calls_made: sampleCalls(...calls) }), {});
}

describe('tool_sequence', () => {
  it.each([
    ['exact', 'a b', 'a b', 1, 'calls: a, b'],
    ['exact', 'a b', 'a c', 0, 'call 2: expected "b", got "c" (calls: a, c)'],
    ['exact', 'a b', 'a', 0, 'call 2: expected "b", but there were no more calls (calls: a)'],
    ['exact', 'a', '', 0, 'call 1: expected "a", but there were no more calls (no tool was called)'],
    ['exact', 'a', 'a b', 0, 'call 2: expected no more calls, got "b" (calls: a, b)'],
    ['exact', 'a', 'a b c d', 0, 'call 2: expected no more calls, got "b" and 2 more after it (calls: a, b, c, d)'],
    ['in_order', 'a b', 'x a y b z', 1, 'calls: x, a, y, b, z'],
    ['in_order', 'a a', 'a b a', 1, 'calls: a, b, a'],
    [
      'in_order',
      'a b',
      'b a',
      0,
      'step 2: expected "b" after "a" (call 2), but it was not called; it was only called before that (call 1) (calls: b, a)',
    ],
    ['in_order', 'a b', 'x', 0, 'step 1: expected "a", but it was not called (calls: x)'],
    ['in_order', 'a a', 'a b', 0, 'step 2: expected "a" after "a" (call 1), but it was not called (calls: a, b)'],
    ['any_order', 'a b', 'b x a', 1, 'calls: b, x, a'],
    ['any_order', 'a a b', 'b a', 0, 'expected "a" at least 2 times, got it once (calls: b, a)'],
    [
      'any_order',
      'a b',
      '',
      0,
      'expected "a" at least once, got it 0 times; expected "b" at least once, got it 0 times (no tool was called)',
    ],
  ])('%s: %s against %s scores %i', (mode, sequence, calls, score, details) => {
    expect(evaluate(mode, sequence.split(' '), calls.split(' ').filter(Boolean))).toEqual({ score, details });
  });

  it('is in_order unless it says otherwise', () => {
    expect(evaluate(undefined, ['a', 'b'], ['a', 'x', 'b'])).toMatchObject({ score: 1 });
  });

  it('exact implies in_order, and in_order implies any_order', async () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(names, names, async (sequence, calls) => {
        const passes = async (mode: string) => (await evaluate(mode, sequence, calls)).score === 1;
        expect(await passes('exact')).toBe(sequence.join() === calls.join());
        if (await passes('exact')) expect(await passes('in_order')).toBe(true);
        if (await passes('in_order')) expect(await passes('any_order')).toBe(true);
      }),
    );
  });
});
