import { expect, test } from 'vitest';
import { waterfallRows } from './waterfall-rows.ts';

const figures = { input_tokens: 10, output_tokens: 2, cost_usd: null };
const turn = (number: number) => ({ ...figures, turn: number, started_seconds: number, latency_seconds: 1 });
const step = (number: number, agent: string | null) => ({
  ...{ ...figures, turn: number, agent, model: null, latency_seconds: 0.5 },
});
const names = (given: Pick<Parameters<typeof waterfallRows>[0], 'turns' | 'turn_count' | 'steps'>) =>
  waterfallRows(given).map(({ name, start }) => [name, start]);

test('a turn with several answers is followed by its steps, which have no start', () => {
  const steps = [step(1, null), step(2, 'Refunds'), step(3, null)];
  expect(names({ turns: [turn(1), turn(3)], turn_count: 3, steps })).toEqual([
    ['1–2', 1],
    ['step 1', null],
    ['step 2, Refunds', null],
    ['3', 3],
  ]);
});

test('steps whose figures nobody told have no row', () => {
  expect(names({ turns: [turn(1)], turn_count: 3, steps: [] })).toEqual([['1–3', 1]]);
});

test('a turn without an answer says so', () => {
  expect(waterfallRows({ turns: [turn(1)], turn_count: 0, steps: [] })).toMatchObject([{ isUnanswered: true }]);
});
