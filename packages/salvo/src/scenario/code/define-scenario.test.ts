import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { defineScenario, isDefinedScenario } from './define-scenario.ts';

test('rows, arguments and what hooks return have their types', () => {
  const scenario = defineScenario({
    prompt: 'Where is {{id}}?',
    data: [{ id: 'A1', days: 3 }],
    setup: async () => ({ orders: new Map([['A1', 'shipped']]) }),
    setupTrial: ({ row, state }) => ({ due: row.days, known: state.scenario.orders.has(row.id) }),
    tools: [
      {
        name: 'with zod',
        parameters: z.object({ id: z.string(), days: z.number().default(1) }),
        mock_response: ({ id, days }, { state }) => {
          expectTypeOf(id).toEqualTypeOf<string>();
          expectTypeOf(days).toEqualTypeOf<number | undefined>();
          expectTypeOf(state.trial.due).toEqualTypeOf<number>();
          return state.scenario.orders.get(id);
        },
      },
      {
        name: 'with a JSON Schema',
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' }, unit: { enum: ['C', 'F'] }, days: { type: 'integer' } },
          required: ['city'],
        },
        mock_responses: [
          {
            respond: ({ city, unit, days }) => {
              expectTypeOf(city).toEqualTypeOf<string>();
              expectTypeOf(unit).toEqualTypeOf<'C' | 'F' | undefined>();
              expectTypeOf(days).toEqualTypeOf<number | undefined>();
              return 'rain';
            },
          },
        ],
      },
      { name: 'without', mock_response: (args) => expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>() },
    ],
    agent: ({ row, state }) => `${row.days.toFixed()} ${state.trial.known}`,
    assertions: [
      ({ output, row }) => output.includes(row.id),
      { id: 'due', check: ({ state }) => state.trial.due === 3 },
    ],
    teardown: ({ state }) => state.scenario.orders.clear(),
  });
  expect(isDefinedScenario(scenario)).toBe(true);
  // @ts-expect-error A field that scenarios do not have.
  expect(defineScenario({ promt: 'Hi' })).toBeDefined();
});
