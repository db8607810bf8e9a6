import { describe, expect, it } from 'vitest';
import type { Comparison } from './comparison.ts';
import { disagreements } from './disagreements.ts';

function item(
  line: number,
  comparison: Partial<Comparison> | null,
  said: Parameters<typeof disagreements>[0][number]['said'] = [],
) {
  return {
    line,
    scenario: null,
    task: 'Task',
    response: 'Answer',
    said,
    comparison: comparison && {
      human: { passed: true, score: null },
      judge: { passed: false, score: 0.5 },
      votes: [[false]],
      ...comparison,
    },
  };
}

describe('disagreements', () => {
  it('are the items with a label and another verdict', () => {
    const found = disagreements(
      [
        item(1, { judge: { passed: true, score: 1 } }),
        item(2, {}),
        item(3, { human: { passed: null, score: null } }),
        item(4, null),
      ],
      0.8,
    );
    expect(found.map(({ line }) => line)).toEqual([2]);
  });

  it('begin with those about which most votes were wrong, then with scores farthest from the threshold', () => {
    const found = disagreements(
      [
        item(1, { votes: [[false, false, true]] }),
        item(2, { votes: [[false, false, null]], judge: { passed: false, score: 0.7 } }),
        item(3, { votes: [[false, false, false]], judge: { passed: false, score: 0 } }),
        item(4, { votes: [[false, false, false]], judge: { passed: false, score: 0.7 } }),
      ],
      0.8,
    );
    expect(found.map(({ line, votes, votes_for }) => [line, votes_for, votes])).toEqual([
      [3, 3, 3],
      [2, 2, 2],
      [4, 3, 3],
      [1, 2, 3],
    ]);
  });

  it('have the reasoning on the criterion that differs most from its label', () => {
    const said = [
      { criterion: 'tone', score: 0, label: 0.1, reasoning: 'It is cold.' },
      { criterion: 'facts', score: 0.2, label: 1, reasoning: 'It is wrong.' },
      { criterion: 'length', score: 0, label: null, reasoning: 'It is long.' },
    ];
    expect(disagreements([item(1, {}, said)], 0.8)).toMatchObject([{ criterion: 'facts', reasoning: 'It is wrong.' }]);
  });

  it('shorten long texts', () => {
    const long = { ...item(1, {}), response: 'x'.repeat(100_000) };
    expect(disagreements([long], 0.8)[0]?.response?.length).toBeLessThan(700);
  });
});
