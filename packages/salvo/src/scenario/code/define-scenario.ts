import type { DataRow } from '../cases/template.ts';
import type { ScenarioDefinition, TypedScenario } from './scenario-definition.ts';

const DEFINED = Symbol.for('salvo.scenario');

/**
 * A scenario in code, for a file `*.scenario.ts` or for `runScenario`. It has the fields of a scenario file. The agent,
 * answers of tools and assertions may be functions.
 */
export function defineScenario<
  Row extends DataRow = DataRow,
  Scenario = undefined,
  Trial = undefined,
  const Parameters extends readonly unknown[] = readonly unknown[],
  State extends Record<string, unknown> = Record<string, unknown>,
>(scenario: TypedScenario<Row, Scenario, Trial, Parameters, State>): ScenarioDefinition;
export function defineScenario(scenario: object): object {
  return Object.defineProperty({ ...scenario }, DEFINED, { value: true });
}

/** Whether `defineScenario` made it. */
export function isDefinedScenario(value: unknown): value is ScenarioDefinition {
  return typeof value === 'object' && value !== null && Reflect.get(value, DEFINED) === true;
}
