import { formatPercent } from '../../stats/format.ts';
import type { LoadedScenario } from '../load-scenario.ts';
import { scenarioHash } from '../scenario-identity.ts';
import type { FaultVariant, Scenario } from '../schema/scenario-schema.ts';
import { type Fault, faultLabel, type Tool } from '../schema/tool-schema.ts';

/** Faults of a run, for one of its scenarios. */
export interface GivenFaults {
  /** Of a file. They take the place of those that a tool has itself. */
  list?: readonly Fault[] | undefined;
  /** Of `salvo chaos`. */
  variant?: Omit<FaultVariant, 'of'> | null | undefined;
}

/** The scenario with the faults of a run. */
export function faultyScenario(loaded: LoadedScenario, { list, variant }: GivenFaults): LoadedScenario {
  const own = loaded.scenario;
  const tools = list ? own.tools.map((tool) => withFaults(tool, forTool(tool, list) ?? tool.faults)) : own.tools;
  if (!list && !variant) return loaded;
  const scenario = variant ? variantOf({ ...own, tools }, variant) : { ...own, tools };
  return { ...loaded, scenario, hash: scenarioHash(scenario) };
}

/** The faults of a scenario by their labels, as `salvo chaos` tries each alone. */
export function faultLabels(scenario: Scenario): string[] {
  return [...new Set(withDefaults(scenario.tools).flatMap(({ faults = [] }) => faults.map(labelOf)))];
}

/** Faults of a file that name only tools which no scenario has. An MCP server may have any. */
export function faultsOfUnknownTools(list: readonly Fault[], scenarios: readonly Scenario[]): Fault[] {
  const tools = scenarios.flatMap((each) => each.tools);
  if (tools.some(({ mcp }) => mcp)) return [];
  return list.filter(({ tools: names }) => names && !tools.some(({ name }) => names.includes(name)));
}

function variantOf(scenario: Scenario, { dose, alone }: Omit<FaultVariant, 'of'>): Scenario {
  const what = alone ?? 'faults';
  return {
    ...scenario,
    name: `${scenario.name} [${formatPercent(dose)} ${what}]`,
    variant: { of: scenario.name, dose, alone },
    tools: withDefaults(scenario.tools).map((tool) =>
      withFaults(
        tool,
        dosed(alone === null ? tool.faults : tool.faults?.filter((each) => labelOf(each) === alone), dose),
      ),
    ),
  };
}

/** A tool without a fault has no key for them: the hash of its scenario is that of one without faults. */
function withFaults({ faults: _, ...tool }: Tool, faults: readonly Fault[] | undefined): Tool {
  return faults && faults.length > 0 ? { ...tool, faults: [...faults] } : tool;
}

/** Those that are meant for the tool; undefined if there are none. */
function forTool({ name, mcp }: Tool, list: readonly Fault[]): Fault[] | undefined {
  const meant = list.flatMap(({ tools, ...fault }): Fault[] => {
    if (!tools) return [fault];
    if (mcp) return [{ ...fault, tools }];
    return tools.includes(name) ? [fault] : [];
  });
  return meant.length === 0 ? undefined : meant;
}

/** With a dose, each call has a fault with this chance. The rates say how often each kind is chosen. */
function dosed(faults: readonly Fault[] = [], dose: number): Fault[] {
  if (dose === 0) return [];
  const open = faults.filter(({ calls }) => calls === undefined);
  const sum = open.reduce((total, { rate = 0 }) => total + rate, 0);
  return faults.map((fault) => {
    const { calls, rate } = fault;
    return { ...fault, rate: calls === undefined ? (sum === 0 ? 0 : (dose * (rate ?? 0)) / sum) : dose * (rate ?? 1) };
  });
}

/** Faults that any tool can have. Not slow, which only takes time, nor those that need a choice of texts or old answers. */
const DEFAULT_KINDS = [
  ...(['timeout', 'http_429', 'http_500', 'connection_lost', 'truncated', 'wrong_types', 'empty_list'] as const),
];

/** If no tool has faults, all have the usual ones. */
function withDefaults(tools: readonly Tool[]): readonly Tool[] {
  if (tools.some(({ faults }) => faults)) return tools;
  return tools.map((tool) => {
    const kinds: Fault[] = DEFAULT_KINDS.map((kind) => ({ kind, rate: 0.1 }));
    const after: Fault[] = tool.effect === 'read' ? [] : [{ kind: 'timeout', after: true, rate: 0.1 }];
    return withFaults(tool, [...kinds, ...after]);
  });
}

function labelOf({ kind, after }: Fault): string {
  return faultLabel(kind, after);
}
