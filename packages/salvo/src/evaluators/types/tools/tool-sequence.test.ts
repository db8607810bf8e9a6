import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCalls, sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { evaluateToolSequence } from './tool-sequence.ts';

type Entry = string | { tool: string; arguments?: Record<string, unknown> | string };
type Call = string | [name: string, args: Record<string, unknown>];

function evaluate(mode: string | undefined, sequence: Entry[], calls: Call[]) {
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
    ['same', 'a a b', 'b a a', 1, 'calls: b, a, a'],
    ['same', 'a b', 'a', 0, 'expected "b" once, got it 0 times (calls: a)'],
    ['same', 'a', 'a a x', 0, 'expected no other calls, got "a", "x" (calls: a, a, x)'],
    ['only', 'a b', 'a a', 1, 'calls: a, a'],
    ['only', 'a b', '', 1, 'no tool was called'],
    ['only', 'a b', 'a x x', 0, 'expected only "a", "b", got "x" (2x) (calls: a, x, x)'],
  ])('%s: %s against %s scores %i', (mode, sequence, calls, score, details) => {
    expect(evaluate(mode, sequence.split(' '), calls.split(' ').filter(Boolean))).toEqual({ score, details });
  });

  it('is in_order unless it says otherwise', () => {
    expect(evaluate(undefined, ['a', 'b'], ['a', 'x', 'b'])).toMatchObject({ score: 1 });
  });

  it.each([
    ['exact', [{ tool: 'a', arguments: { id: 1 } }], [['a', { id: 1, more: 2 }]], null],
    ['exact', [{ tool: 'a', arguments: { id: 1 } }], [['a', { id: 2 }]], 'expected "a {"id":1}", got "a {"id":2}"'],
    ['in_order', ['b', { tool: 'a', arguments: 'id > `1`' }], [['a', { id: 2 }], 'b', ['a', { id: 3 }]], null],
    [
      'in_order',
      ['b', { tool: 'a', arguments: 'id > `5`' }],
      ['b', ['a', { id: 3 }]],
      'expected "a id > `5`" after "b"',
    ],
    [
      'any_order',
      ['a', { tool: 'a', arguments: { id: 1 } }],
      [
        ['a', { id: 1 }],
        ['a', { id: 2 }],
      ],
      null,
    ],
    [
      'any_order',
      ['a', { tool: 'a', arguments: { id: 1 } }],
      [['a', { id: 1 }]],
      'expected "a {"id":1}" at least once, but the calls that fit are needed for other entries',
    ],
    [
      'same',
      [{ tool: 'a' }, { tool: 'a', arguments: { id: { $any_of: [1, 2] } } }],
      [
        ['a', { id: 1 }],
        ['a', {}],
      ],
      null,
    ],
    ['same', [{ tool: 'a', arguments: { id: 1 } }], [['a', { id: 2 }]], 'expected no other calls, got "a {"id":2}"'],
    [
      'only',
      [{ tool: 'a', arguments: { id: { $regex: '^A' } } }],
      [
        ['a', { id: 'A1' }],
        ['a', { id: 'A2' }],
      ],
      null,
    ],
    ['only', [{ tool: 'a', arguments: { id: { $regex: '^A' } } }], [['a', { id: 'B' }]], 'got "a {"id":"B"}"'],
  ] satisfies [string, Entry[], Call[], string | null][])(
    '%s: %j against %j with arguments',
    async (mode, sequence, calls, problem) => {
      const { score, details } = await evaluate(mode, sequence, calls);
      expect(score, details).toBe(problem === null ? 1 : 0);
      expect(details).toContain(problem ?? 'calls: ');
    },
  );

  it('only counts calls that were merely requested, because it forbids them', async () => {
    const assertion = { type: 'tool_sequence', sequence: ['a'], mode: 'only' };
    const calls = sampleCalls('a', 'x').map((call) => ({ ...call, seen: 'requested' as const }));
    const trace = sampleTrace({ tool_calls_made: calls });
    expect(await evaluateToolSequence(ASSERTION_SCHEMAS.tool_sequence.parse(assertion), trace, {})).toMatchObject({
      score: 0,
    });
  });

  it('same passes exactly if any_order does and there are as many calls as entries', async () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(names, names, async (sequence, calls) => {
        const passes = async (mode: string) => (await evaluate(mode, sequence, calls)).score === 1;
        expect(await passes('same')).toBe(sequence.toSorted().join() === calls.toSorted().join());
        expect(await passes('only')).toBe(calls.every((call) => sequence.includes(call)));
        expect(await passes('same')).toBe((await passes('any_order')) && sequence.length === calls.length);
      }),
    );
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
