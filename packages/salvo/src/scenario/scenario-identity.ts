import { hash } from 'node:crypto';
import { canonicalJson, contentHash } from '../text/json/canonical-json.ts';
import { remembered } from '../text/memo.ts';
import { columnValue, compileTemplate } from './cases/template.ts';
import { GATE_KEYS } from './schema/gate-schema.ts';
import type { Scenario } from './schema/scenario-schema.ts';

/** Identifies a scenario by its content, independent of the layout of its file. */
export function scenarioHash(scenario: Scenario): string {
  return contentHash(withoutLongState(scenario));
}

/** Names of the scenario and how its traces are judged; every other field influences the agent. */
const NOT_THE_TASK = new Set([
  ...['name', 'description', 'tags', 'assertions', 'threshold', ...GATE_KEYS],
  ...['trials', 'skip', 'only', 'retries', 'quarantine', 'labels', 'mutate', 'prompt_of'],
]);

/** The fields in which two versions of a scenario give the agent a different task. */
export function taskChanges(before: Scenario, after: Scenario): string[] {
  const columns = new Set([...taskColumns(before), ...taskColumns(after)]);
  const then = new Map<string, unknown>(Object.entries({ ...before, data: taskData(before, columns) }));
  const now = new Map<string, unknown>(Object.entries({ ...after, data: taskData(after, columns) }));
  return [...new Set([...then.keys(), ...now.keys()])]
    .filter((field) => !NOT_THE_TASK.has(field) && canonicalJson(then.get(field)) !== canonicalJson(now.get(field)))
    .sort();
}

const TASK_FIELDS = [
  ...(['prompt', 'files', 'system_prompt', 'messages', 'state', 'user', 'tools', 'script'] as const),
  ...(['workspace', 'services'] as const),
] as const;

function taskColumns(scenario: Scenario): string[] {
  if (scenario.data === undefined) return [];
  const sites = TASK_FIELDS.flatMap((field) => compileTemplate(scenario[field])?.sites ?? []);
  return sites.map(({ column }) => column);
}

/** The part of the rows that the agent sees. An expected answer that was corrected does not change the task. */
function taskData({ data }: Scenario, columns: ReadonlySet<string>): unknown[][] | undefined {
  return data?.map((row) => [...columns].map((column) => columnValue(row, column)));
}

type StateDocument = Record<string, unknown>;

/** Documents are never changed, and may be large. */
const described = new WeakMap<object, { sha256: string; length: number }>();

function describe(state: StateDocument) {
  return remembered(described, state, () => {
    const text = canonicalJson(state);
    return { sha256: hash('sha256', text, 'hex'), length: text.length };
  });
}

/** The sha256 of a state document, whatever the order of its keys. */
export function stateHash(state: StateDocument): string {
  return describe(state).sha256;
}

/** Longer documents are not kept with every run. */
const LONGEST_KEPT = 100_000;

/** The scenario as runs keep it: instead of a long state document it has a hash. */
export function withoutLongState<S extends Pick<Scenario, 'state'>>(scenario: S): S {
  const { state } = scenario;
  if (state === undefined || describe(state).length <= LONGEST_KEPT) return scenario;
  return { ...scenario, state: { $sha256: stateHash(state) } };
}
