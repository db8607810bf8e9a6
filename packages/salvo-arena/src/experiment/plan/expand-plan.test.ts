import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { samplePlan } from '../../../test/arena-experiment/sample-experiment.ts';
import { type Cell, gameId, missingCells } from './expand-plan.ts';
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

async function allCells(plan: typeof large): Promise<Cell[]> {
  const canRestore = async () => true;
  const groups = missingCells({ plan, experimentId: 'e', scored: new Set(), canRestore });
  return (await Array.fromAsync(groups)).flatMap(({ cells }) => cells);
}

describe('a plan', () => {
  test('has one game for each cell of its matrix', async () => {
    const cells = await allCells(large);
    expect(cells).toHaveLength(3 * 2 * 3 * 2 * 2 * 2 * 2);
    expect(cells).toHaveLength(gamesPlanned(large));
    const names = cells.map(({ index: _, seed: __, codeKey: ___, ...cell }) => JSON.stringify(cell));
    expect(new Set(names).size).toBe(cells.length);
    expect(cells.map(({ index }) => index)).toEqual(cells.map((_, index) => index));
  });

  test('gives the same games every time', async () => {
    expect(await allCells(large)).toEqual(await allCells(structuredClone(large)));
  });

  test('gives all Blues the same code; anything else that differs means different code', async () => {
    const groups = Map.groupBy(await allCells(large), ({ codeKey }) => codeKey);
    for (const cells of groups.values()) {
      expect(cells.map(({ blue }) => blue)).toEqual(large.blue);
      expect(new Set(cells.map(({ seed }) => seed)).size).toBe(1);
    }
    expect(groups.size).toBe(gamesPlanned(large) / large.blue.length);
  });

  test('has the games on one piece of code next to each other', async () => {
    const keys = (await allCells(large)).map(({ codeKey }) => codeKey);
    const changes = keys.filter((key, index) => key !== keys[index - 1]);
    expect(changes).toHaveLength(new Set(keys).size);
  });

  test('has different code with another seed, category or number of flaws', async () => {
    const first = async (change: object) => (await allCells({ ...large, ...change }))[0]?.codeKey;
    const changes = [{}, { seed: 1 }, { category: 'iam' }, { flaws: 3 }];
    const keys = await Promise.all(changes.map(first));
    expect(new Set(keys).size).toBe(4);
  });

  test('keeps the code of a task when tasks or Blues are added', async () => {
    const more = samplePlan({ tasks: ['x', 'one', 'two'], blue: ['checkov', 'rules'] });
    const codeOfOne = async (plan: typeof more) => (await allCells(plan)).find(({ task }) => task === 'one')?.codeKey;
    expect(await codeOfOne(more)).toMatch(/^\w{16}$/);
    expect(await codeOfOne(more)).toBe(await codeOfOne(samplePlan()));
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
