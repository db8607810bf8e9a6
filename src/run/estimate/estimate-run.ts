import type { ModelCaller } from '../../models/model-caller.ts';
import type { Pricing } from '../../models/prices.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { mean } from '../../stats/mean.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import type { Trace } from '../../trace/trace.ts';
import { traceFrom } from '../../trace/trace-from.ts';
import { plannedCases, plannedTrials } from '../planned-cases.ts';
import type { RunScenario, StoredTrial } from '../run-record.ts';
import { type Estimate, type ScenarioEstimate, totalEstimate } from './estimate.ts';
import { createJudgeForecast } from './judge-forecast.ts';

/**
 * What N trials of scenarios would cost, without calling a model: the agents by the cost of stored trials, the judges by
 * the prompts for those trials. Before the first trial only the scenario itself is known.
 */
export async function estimateRun(options: {
  loaded: readonly LoadedScenario[];
  project: Project;
  /** Null: as the scenarios say. */
  trials: number | null;
  /** By position of the scenario: the cases that would run; null for all. */
  cases?: readonly (readonly number[] | null)[] | undefined;
  /** Instead of what the scenarios and salvo.yaml say. */
  adapter?: string | undefined;
  model?: string | undefined;
  recordOnly?: boolean | undefined;
  pricing: Pricing;
  models: ModelCaller;
  /** Some traces of earlier trials of a scenario. */
  earlierTraces: (scenario: LoadedScenario) => Promise<Trace[]>;
}): Promise<Estimate> {
  const { project, pricing, models } = options;
  const scenarios: ScenarioEstimate[] = [];
  for (const [index, loaded] of options.loaded.entries()) {
    const { scenario, relativeFile } = loaded;
    const chosen = options.cases?.[index] ?? null;
    const trials = plannedTrials(plannedCases(scenario, { options: { trials: options.trials }, chosen }));
    const adapter = options.adapter ?? scenario.adapter ?? project.config.default_adapter;
    const model = options.model ?? scenario.model ?? project.config.default_model ?? adapter;
    const provider = models.providerName(adapter);
    const traces = await options.earlierTraces(loaded);
    const forecast = createJudgeForecast({ loaded, project, pricing, judgeServices: { models } });
    const judged = traces.length > 0 ? traces : [traceFrom({ response: '' })];
    if (!options.recordOnly) for (const trace of judged) await forecast.add(trace, { share: trials / judged.length });
    const perTrial = await meanCost(traces, (trace) => agentCost(trace, { model, provider, pricing }));
    scenarios.push({
      name: scenario.name,
      file: relativeFile,
      trials,
      agent: { adapter, model, runs: trials, cost_usd: perTrial === null ? null : perTrial * trials },
      judges: forecast.judges(),
      traces: traces.length,
    });
  }
  return totalEstimate(scenarios);
}

async function meanCost(
  traces: readonly Trace[],
  costOf: (trace: Trace) => Promise<number | null>,
): Promise<number | null> {
  const costs = await Promise.all(traces.map(costOf));
  const known = costs.filter((cost) => cost !== null);
  return known.length < costs.length ? null : mean(known);
}

/** The cost of the trace, or the cost of its tokens on another model. */
async function agentCost(
  trace: Trace,
  { model, provider, pricing }: { model: string; provider: string; pricing: Pricing },
): Promise<number | null> {
  if (trace.model === model) return trace.cost_usd;
  const { input_tokens, output_tokens } = trace;
  if (input_tokens === null || output_tokens === null) return null;
  return pricing.priceTurn({ model, provider, usage: { input_tokens, output_tokens } });
}

interface TraceSource {
  listRuns(options?: {
    limit?: number;
  }): Promise<{ run_id: string; scenarios: Pick<RunScenario, 'name' | 'file'>[] }[]>;
  trials(runId: string, options?: { scenarioIndex?: number }): AsyncIterable<StoredTrial>;
  getTrace(traceId: string): Promise<Trace | null>;
}

const MOST_RUNS = 100;
const MOST_TRACES = 20;

/** Some traces of the latest run that has any of the same scenario. */
export async function earlierTraces(store: TraceSource, { scenario, relativeFile }: LoadedScenario): Promise<Trace[]> {
  for (const { run_id, scenarios } of await store.listRuns({ limit: MOST_RUNS })) {
    const scenarioIndex = scenarios.findIndex(({ name, file }) => name === scenario.name && file === relativeFile);
    if (scenarioIndex === -1) continue;
    const traces: Trace[] = [];
    for await (const { trace_id } of store.trials(run_id, { scenarioIndex })) {
      const trace = trace_id === null ? null : await store.getTrace(trace_id);
      if (trace && trace.error === null && !isMetadataOnly(trace)) traces.push(trace);
      if (traces.length === MOST_TRACES) break;
    }
    if (traces.length > 0) return traces;
  }
  return [];
}
