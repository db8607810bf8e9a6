import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLike } from '../../../test/json-like.ts';
import { describeUnreadable } from './describe-unreadable.ts';

const criteria = [
  { name: 'accuracy', description: 'Is right.', weight: 1 },
  { name: 'cites sources', description: 'Says where from.', weight: 1 },
];

function call(args: Record<string, unknown>, raw_arguments?: string, name = 'score_criteria') {
  return { id: '1', name, arguments: args, ...(raw_arguments !== undefined && { raw_arguments }) };
}

describe('describeUnreadable', () => {
  const saidOf = (content: string | null, tool_calls: ReturnType<typeof call>[] = [], finish_reason = 'stop') =>
    describeUnreadable({ content, tool_calls, finish_reason }, criteria);

  it.each([
    ['an empty answer', saidOf(' \n'), 'The answer was empty.'],
    ['words', saidOf('Looks good.'), 'The answer neither called score_criteria nor held a JSON object: Looks good.'],
    [
      'another tool',
      saidOf(null, [call({}, undefined, 'search')]),
      'The answer called search instead of score_criteria.',
    ],
    [
      'broken arguments',
      saidOf(null, [call({}, '{"accuracy"')]),
      'The arguments of score_criteria were not a JSON object: {"accuracy"',
    ],
    [
      'other criteria',
      saidOf(null, [call({ speed: 1 })]),
      'The call of score_criteria has no score in it: it must score accuracy, cites sources, but has speed.',
    ],
    [
      'no criteria',
      saidOf('{}'),
      'The JSON in the answer has no score in it: it must score accuracy, cites sources, but has nothing.',
    ],
    [
      'a score in words',
      saidOf('{"accuracy": {"score": "high"}}'),
      'The JSON in the answer has no score in it: what it says of accuracy has no number from 0.0 to 1.0 as its score: {"score":"high"}',
    ],
  ])('says what is wrong with %s', (_, said, expected) => {
    expect(said).toBe(expected);
  });

  it('is short, and always says something', () => {
    fc.assert(
      fc.property(jsonLike, jsonLike, (content, raw) => {
        for (const calls of [[], [call({}, raw)], [call({ [raw]: content })], [call({}, undefined, raw)]]) {
          const said = saidOf(content, calls);
          expect(said.length).toBeGreaterThan(10);
          expect(said.length).toBeLessThan(3000);
        }
      }),
    );
  });
});
