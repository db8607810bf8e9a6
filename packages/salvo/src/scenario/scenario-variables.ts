import { namedVariables } from '../adapters/call/expand-headers.ts';
import { isBasicVariable } from '../adapters/program/program-environment.ts';
import type { SentVariable } from '../adapters/sent-variables.ts';
import { everyAssertion } from './cases/case-fields.ts';
import { scenarioCases } from './cases/scenario-cases.ts';
import type { Assertion, AssertionOf } from './schema/assertion-schema.ts';
import type { Scenario } from './schema/scenario-schema.ts';

/** The variables that a scenario passes on: to MCP servers, to services and to commands of assertions, in all its cases. */
export function scenarioVariables(scenario: Scenario): SentVariable[] {
  const sent = new Map<string, SentVariable>();
  for (const each of casesWithVariables(scenario)) {
    for (const variable of variablesOf(each)) sent.set(JSON.stringify(variable), variable);
  }
  return [...sent.values()];
}

type Passing = Pick<Scenario, 'tools' | 'services' | 'assertions'>;

/** Just the scenario, unless a row can change what is passed on, or to whom. */
function* casesWithVariables(scenario: Scenario): Generator<Passing> {
  const { tools, services } = scenario;
  const all = everyAssertion(scenario);
  const passing = [tools.map(({ mcp }) => mcp), services, all.filter(isCommand)];
  if (scenario.data === undefined || !JSON.stringify(passing).includes('{{')) {
    return yield { ...scenario, assertions: all };
  }
  const cases = scenarioCases(scenario);
  for (const index of scenario.data.keys()) {
    try {
      yield cases.scenarioOf(index);
    } catch {
      // A row that gives no valid scenario has no trial.
    }
  }
}

function variablesOf({ tools, services = [], assertions }: Passing): SentVariable[] {
  const ofServers = tools.flatMap(({ mcp }): SentVariable[] => {
    if (!mcp) return [];
    const host = mcp.url === undefined ? null : (URL.parse(mcp.url)?.host ?? null);
    return [...(mcp.env ?? []), ...namedVariables({ headers: mcp.headers })].map((variable) => ({ variable, host }));
  });
  const commands: readonly { env?: readonly string[] | undefined }[] = [...services, ...assertions.filter(isCommand)];
  const names = commands.flatMap(({ env = [] }) => env).filter((entry) => !entry.includes('='));
  const ofPrograms = names.map((variable) => ({ variable, host: null }));
  return [...ofServers, ...ofPrograms].filter(({ variable }) => variable !== null && !isBasicVariable(variable));
}

function isCommand(assertion: Assertion): assertion is AssertionOf<'command_succeeds'> {
  return assertion.type === 'command_succeeds';
}
