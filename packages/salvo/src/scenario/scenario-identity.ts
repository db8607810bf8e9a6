import { canonicalJson, contentHash } from '../text/json/canonical-json.ts';
import { columnValue, compileTemplate } from './cases/template.ts';
import { GATE_KEYS } from './schema/gate-schema.ts';
import type { Scenario } from './schema/scenario-schema.ts';

/** Identifies a scenario by its content, independent of the layout of its file. */
export function scenarioHash(scenario: Scenario): string {
  return contentHash(scenario);
}

/** Names of the scenario and how its traces are judged; every other field influences the agent. */
const NOT_THE_TASK = new Set([
  ...['name', 'description', 'tags', 'assertions', 'threshold', ...GATE_KEYS],
  ...['trials', 'skip', 'only', 'retries', 'quarantine', 'labels'],
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

const TASK_FIELDS = ['prompt', 'files', 'system_prompt', 'messages', 'user', 'tools', 'script'] as const;

function taskColumns(scenario: Scenario): string[] {
  if (scenario.data === undefined) return [];
  const sites = TASK_FIELDS.flatMap((field) => compileTemplate(scenario[field])?.sites ?? []);
  return sites.map(({ column }) => column);
}

/** The part of the rows that the agent sees. An expected answer that was corrected does not change the task. */
function taskData({ data }: Scenario, columns: ReadonlySet<string>): unknown[][] | undefined {
  return data?.map((row) => [...columns].map((column) => columnValue(row, column)));
}
