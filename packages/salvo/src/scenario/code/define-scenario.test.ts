import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { defineScenario, isDefinedScenario } from './define-scenario.ts';

test('rows, arguments and what hooks return have their types', () => {
  const scenario = defineScenario({
    prompt: 'Where is {{id}}?',
    data: [{ id: 'A1', days: 3 }],
    setup: async () => ({ orders: new Map([['A1', 'shipped']]) }),
    setupTrial: ({ row, hooks }) => ({ due: row.days, known: hooks.scenario.orders.has(row.id) }),
    tools: [
      {
        name: 'with zod',
        parameters: z.object({ id: z.string(), days: z.number().default(1) }),
        mock_response: ({ id, days }, { hooks }) => {
          expectTypeOf(id).toEqualTypeOf<string>();
          expectTypeOf(days).toEqualTypeOf<number | undefined>();
          expectTypeOf(hooks.trial.due).toEqualTypeOf<number>();
          return hooks.scenario.orders.get(id);
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
    agent: ({ row, hooks }) => `${row.days.toFixed()} ${hooks.trial.known}`,
    assertions: [
      ({ output, row }) => output.includes(row.id),
      { id: 'due', check: ({ hooks }) => hooks.trial.due === 3 },
    ],
    teardown: ({ hooks }) => hooks.scenario.orders.clear(),
  });
  expect(isDefinedScenario(scenario)).toBe(true);
  // @ts-expect-error A field that scenarios do not have.
  expect(defineScenario({ promt: 'Hi' })).toBeDefined();
});
