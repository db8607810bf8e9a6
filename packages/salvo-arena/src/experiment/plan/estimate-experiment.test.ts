import { expect, test } from 'vitest';
import { estimateExperiment } from './estimate-experiment.ts';
import { experimentPlanSchema } from './experiment-plan.ts';

const plan = (settings: Record<string, unknown>) =>
  experimentPlanSchema.parse({
    name: 'x',
    tasks: ['a', 'b'],
    red: ['mutation'],
    blue: ['rules', 'checkov'],
    ...settings,
  });

test('the models of the Judge are counted, for one unclear match in each game', async () => {
  const calls = async (settings: Record<string, unknown>) =>
    (await estimateExperiment(plan(settings), [])).teams.flatMap(({ team, model_calls }) =>
      team === 'judge' ? [model_calls] : [],
    );
  expect(await calls({})).toEqual([]);
  expect(await calls({ llm: ['m'] })).toEqual([4 * 3]);
  expect(await calls({ llm: ['m', 'n'], votes: 5 })).toEqual([4 * 2 * 5]);
  expect(await calls({ verify: 'debate' })).toEqual([4 * 3]);
});

test('what they cost is unknown without stored games, and so is the whole', async () => {
  const { model_calls, cost_usd, teams } = await estimateExperiment(plan({ llm: ['m'] }), []);
  expect({ model_calls, cost_usd }).toEqual({ model_calls: 12, cost_usd: null });
  expect(teams.at(-1)).toEqual({ team: 'judge', name: 'm', times: 4, model_calls: 12, cost_usd: null });
});
