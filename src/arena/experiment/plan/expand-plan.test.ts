import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { samplePlan } from '../../../../test/arena-experiment/sample-experiment.ts';
import { expandPlan, gameId } from './expand-plan.ts';
import { gamesPlanned } from './experiment-plan.ts';

const large = samplePlan({
  tasks: ['a', 'b', 'c'],
  red: ['mutation', 'llm:m'],
  blue: ['rules', 'checkov', 'llm:m'],
  difficulty: ['easy', 'hard'],
  language: ['terraform', 'cloudformation'],
  strategy: ['balanced', 'stealth'],
  repetitions: 2,
});

describe('a plan', () => {
  test('has one game for each cell of its matrix', () => {
    const cells = [...expandPlan(large)];
    expect(cells).toHaveLength(3 * 2 * 3 * 2 * 2 * 2 * 2);
    expect(cells).toHaveLength(gamesPlanned(large));
    const names = cells.map(({ index: _, seed: __, codeKey: ___, ...cell }) => JSON.stringify(cell));
    expect(new Set(names).size).toBe(cells.length);
    expect(cells.map(({ index }) => index)).toEqual(cells.map((_, index) => index));
  });

  test('gives the same games every time', () => {
    expect([...expandPlan(large)]).toEqual([...expandPlan(structuredClone(large))]);
  });

  test('gives all Blues the same code; anything else that differs means different code', () => {
    const groups = Map.groupBy(expandPlan(large), ({ codeKey }) => codeKey);
    for (const cells of groups.values()) {
      expect(cells.map(({ blue }) => blue)).toEqual(large.blue);
      expect(new Set(cells.map(({ seed }) => seed)).size).toBe(1);
    }
    expect(groups.size).toBe(gamesPlanned(large) / large.blue.length);
  });

  test('has the games on one piece of code next to each other', () => {
    const keys = [...expandPlan(large)].map(({ codeKey }) => codeKey);
    const changes = keys.filter((key, index) => key !== keys[index - 1]);
    expect(changes).toHaveLength(new Set(keys).size);
  });

  test('has different code with another seed, category or number of flaws', () => {
    const first = (change: object) => [...expandPlan({ ...large, ...change })][0]?.codeKey;
    const keys = [first({}), first({ seed: 1 }), first({ category: 'iam' }), first({ flaws: 3 })];
    expect(new Set(keys).size).toBe(4);
  });

  test('keeps the code of a task when tasks or Blues are added', () => {
    const more = samplePlan({ tasks: ['x', 'one', 'two'], blue: ['checkov', 'rules'] });
    const of = (plan: typeof more) => new Map([...expandPlan(plan)].map(({ task, codeKey }) => [task, codeKey]));
    expect(of(more).get('one')).toBe(of(samplePlan()).get('one'));
  });
});

test('ids of games sort in the order in which games were planned', () => {
  fc.assert(
    fc.property(fc.nat(999_999), fc.nat(999_999), (a, b) => {
      const order = gameId('e', { index: a }) < gameId('e', { index: b });
      expect(order).toBe(a < b);
    }),
  );
});
