import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { Trace } from '../trace/trace.ts';

/** Agents outside of this process: they have no `callTool`, and return their calls to Salvo instead. */
const REMOTE: ReadonlySet<string> = new Set(['exec', 'http']);

/**
 * Why a trial says nothing: the agent executed its own tools in place of the scenario's mocks, and the real ones may have
 * done something. Null if it did not, or if the scenario allows it.
 */
export function bypassedMocks(trace: Trace, { own_tools }: Pick<Scenario, 'own_tools'>): string | null {
  if (own_tools === 'allow') return null;
  const names = [...new Set(trace.tool_calls_made.filter((call) => call.bypassed_mock).map(({ name }) => name))];
  const [first] = names;
  if (first === undefined) return null;
  const tools = names.map((name) => `"${name}"`).join(', ');
  const remedy = REMOTE.has(trace.provider)
    ? 'return the call to Salvo as "tool_calls" of a turn, and its result comes with the next request'
    : `let the agent's tool call the mock: execute: (args) => callTool('${first}', args)`;
  return `the scenario mocks ${tools}, but the agent executed ${names.length === 1 ? 'a tool' : 'tools'} of its own by that name, which may have had real effects. To use the mock, ${remedy}. To allow it, add to the scenario: own_tools: allow`;
}
