import { expect, test } from 'vitest';
import type { AdapterTurnResult } from '../../adapters/adapter.ts';
import { withPlausibleFigures } from './call-cost.ts';

const turn: AdapterTurnResult = {
  content: 'Done.',
  tool_calls: [],
  usage: { input_tokens: 100, output_tokens: 10, cache_read_tokens: 0 },
  finish_reason: 'stop',
  raw_response: null,
  cost_usd: 0.01,
};

test('figures that can be true stay', () => {
  expect(withPlausibleFigures(turn)).toEqual(turn);
  expect(withPlausibleFigures({ ...turn, usage: null })).toEqual({ ...turn, usage: null });
});

test.each([1e13, 1e21, 1e308, Number.POSITIVE_INFINITY, Number.NaN, -1])('%d tokens are unknown', (count) => {
  for (const key of ['input_tokens', 'output_tokens', 'cache_read_tokens']) {
    const usage = { input_tokens: 1, output_tokens: 1, [key]: count };
    expect(withPlausibleFigures({ ...turn, usage }).usage).toBeNull();
  }
  const trace = { messages: [], input_tokens: count, output_tokens: 5 };
  expect(withPlausibleFigures({ ...turn, trace }).trace).toMatchObject({ input_tokens: null, output_tokens: 5 });
});

test.each([1e10, Number.POSITIVE_INFINITY, Number.NaN, -0.5])('a cost of $%d is unknown', (cost_usd) => {
  expect(withPlausibleFigures({ ...turn, cost_usd }).cost_usd).toBeUndefined();
  expect(withPlausibleFigures({ ...turn, trace: { messages: [], cost_usd } }).trace?.cost_usd).toBeNull();
});
