import type { Adapter } from '../adapters/adapter.ts';
import type { AgentFunction } from '../adapters/agent/agent-function.ts';
import type { ScenarioDefinition } from '../scenario/code/scenario-definition.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { aValue } from '../text/words/value-words.ts';
import type { EvaluateOptions } from './test-options.ts';

/** What can be tested: the path of a scenario file, a scenario with its fields, or an agent. */
export type Testable = string | ScenarioDefinition | AgentFunction | Adapter;

/** A subject with its task and its agent. `file` is a scenario file, relative to the test's. */
export type Subject = { agent: AgentFunction | Adapter | undefined } & (
  | { file: string }
  | { scenario: ScenarioDefinition }
);

/** What a test means by its subject and the options. */
export function readSubject(subject: unknown, options: EvaluateOptions): Subject {
  if (isAgent(subject)) return { agent: subject, scenario: taskFor(options) };
  const misplaced = ['prompt', 'scenario'].filter((name) => Object.hasOwn(options, name));
  if (misplaced.length > 0) {
    throw new SalvoError('OPTIONS_INVALID', `${misplaced.join(' and ')} is the task of an agent. This is a scenario.`);
  }
  if (typeof subject === 'string') return { agent: options.agent, file: subject };
  if (isScenario(subject)) return { agent: options.agent, scenario: subject };
  throw new SalvoError(
    'TEST_SUBJECT_INVALID',
    `This is ${aValue(subject)}. Give a scenario (an object with a prompt), the path of a scenario file, an agent (a function), or what evaluate() returned.`,
  );
}

function isAgent(value: unknown): value is AgentFunction | Adapter {
  return typeof value === 'function' || (isRecord(value) && typeof value.sendTurn === 'function');
}

/** Its fields are checked when it is run. */
function isScenario(value: unknown): value is ScenarioDefinition {
  return isRecord(value) && ('prompt' in value || 'messages' in value);
}

function taskFor({ prompt, scenario, agent }: EvaluateOptions): ScenarioDefinition {
  if (agent !== undefined) throw new SalvoError('OPTIONS_INVALID', 'There are two agents: the subject and `agent`.');
  if (scenario !== undefined) return prompt === undefined ? scenario : { ...scenario, prompt };
  if (prompt !== undefined) return { prompt };
  throw new SalvoError('OPTIONS_INVALID', 'An agent needs a task: give `prompt`, or a `scenario` with tools as well.');
}
