import { describe, expect, test } from 'vitest';
import { scenarioFieldsSchema } from '../../scenario/schema/scenario-schema.ts';
import { pairedCases } from './paired-cases.ts';

const scenario = (data?: Record<string, unknown>[]) => ({
  ...scenarioFieldsSchema.parse({ prompt: '{{q}}', ...(data && { data }) }),
  name: 's',
  assertions: [],
});
const paired = (then?: Record<string, unknown>[], now?: Record<string, unknown>[]) => {
  const caseNow = pairedCases(scenario(then), scenario(now));
  return (then ?? [{}]).map((_, index) => caseNow(index));
};

describe('a case of an earlier version is', () => {
  test.each([
    ['the only one without data', undefined, undefined, [0]],
    [
      'the row of its name, wherever it is',
      [{ name: 'a' }, { name: 'b' }],
      [{ name: 'x' }, { name: 'b' }, { name: 'a' }],
      [2, 1],
    ],
    ['the row of its number, if a value was corrected', [{ q: 1 }, { q: 2 }], [{ q: 1 }, { q: 3 }], [0, 1]],
    ['the equal row, if another was removed', [{ q: 1 }, { q: 2 }, { q: 3 }], [{ q: 1 }, { q: 3 }], [0, -1, 1]],
    ['gone, if its name is', [{ name: 'a' }, { q: 2 }], [{ name: 'b' }, { q: 2 }], [-1, 1]],
    ['gone, if the data is', [{ q: 1 }], undefined, [-1]],
  ])('%s', (_, then, now, expected) => {
    expect(paired(then, now)).toEqual(expected);
  });
});
