import { expect, test } from 'vitest';
import { sampleRun } from '../../../../../test/sample-run.ts';
import type { Assertion } from '../../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { scenarioGates, withProjectGates } from './gates.ts';

const NO_FLAGS = { min_pass_rate: null, min_score: null };
const judge = (id: string, name: string): Assertion => ({
  ...{ type: 'judge', id, weight: 1, required: false },
  ...{ criteria: [{ name, description: 'x', weight: 1 }] },
});

function scenarioOf(change: Partial<Scenario>): Scenario {
  const [entry] = sampleRun().scenarios;
  if (!entry) throw new Error('a sample run has scenarios');
  return { ...entry.scenario, ...change };
}

test('a gate of the scenario replaces the default of the same name, and only that', () => {
  const defaults = { min_pass_hat_k: [{ k: 2, rate: 0.5 }], max_cost_usd: 1 };
  const scenario = withProjectGates(scenarioOf({ min_pass_hat_k: [{ k: 3, rate: 0.9 }] }), { defaults });
  expect(scenarioGates(NO_FLAGS, scenario)).toEqual({
    min_pass_rate: 1,
    min_score: null,
    further: [
      { gate: 'min_pass_hat_k', k: 3, limit: 0.9 },
      { gate: 'max_cost_usd', limit: 1 },
    ],
  });
});

test('a default for a criterion holds only for scenarios whose judges have it', () => {
  const defaults = { min_criteria: { kind: 0.8, short: 0.5, tone: { kind: 0.9, short: 0.9 }, style: { kind: 1 } } };
  const scenario = withProjectGates(scenarioOf({ assertions: [judge('tone', 'kind')] }), { defaults });
  expect(scenario.min_criteria).toEqual({ kind: 0.8, tone: { kind: 0.9 } });
  expect(withProjectGates(scenarioOf({}), { defaults })).not.toHaveProperty('min_criteria');
});
