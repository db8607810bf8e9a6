import { z } from 'zod';
import { isRecord } from '../../../text/json/is-record.ts';
import { quoteOutput } from '../../../text/output/quote-output.ts';
import { FormError, readAs } from '../form-error.ts';
import { usageSchema } from '../usage.ts';
import { isText, milliseconds, type RecordedStep, type RecordedTrace, rootsOf } from './recorded-step.ts';

const runSchema = z.looseObject({
  id: z.string().nullish(),
  name: z.string().nullish(),
  run_type: z.string(),
  parent_run_id: z.string().nullish(),
  trace_id: z.string().nullish(),
  error: z.string().nullish(),
  child_runs: z.array(z.unknown()).nullish(),
});
type Run = z.infer<typeof runSchema>;

/** A run of LangSmith with its child runs, or all runs of a trace as a list. Undefined if it is none. */
export function langSmithRuns(reply: unknown): RecordedTrace | undefined {
  if (Array.isArray(reply)) return reply.length > 0 && reply.every(isRun) ? traceOf(reply, 'runs') : undefined;
  if (!isRun(reply)) return undefined;
  const { child_runs: children, child_run_ids: ids } = reply;
  if (Array.isArray(children) && children.length > 0) return traceOf([reply], 'run');
  if (Array.isArray(ids) && ids.length > 0) {
    throw new FormError(
      'child_run_ids:',
      'the run has child runs, but only their ids are given, so tool calls cannot be seen: load it with them (`readRun(id, { loadChildRuns: true })`), or pass only {inputs, outputs} to judge the answer',
    );
  }
  return undefined;
}

export function isRun(entry: unknown): entry is Record<string, unknown> {
  return isRecord(entry) && typeof entry.run_type === 'string' && 'inputs' in entry;
}

function traceOf(listed: readonly unknown[], place: string): RecordedTrace {
  const { steps, traces } = stepsOfRuns(listed, place);
  if (traces.size > 1) throw new FormError(`${place}:`, `are of ${traces.size} traces: pass those of one at a time`);
  return { what: 'the LangSmith trace', steps, roots: rootsOf(steps) };
}

/** The runs and their child runs as steps, and the traces that they say to be of. */
export function stepsOfRuns(
  listed: readonly unknown[],
  place: string,
): { steps: RecordedStep[]; traces: ReadonlySet<string> } {
  const steps: RecordedStep[] = [];
  const traces = new Set<string>();
  const add = (entry: unknown, parent: string | null, at: string): void => {
    const run = readAs(runSchema, entry, at);
    if (run.trace_id) traces.add(run.trace_id);
    const step = stepOf(run, { parent, at, id: run.id ?? `run ${steps.length}` });
    steps.push(step);
    for (const [index, child] of (run.child_runs ?? []).entries()) add(child, step.id, `${at}.child_runs[${index}]`);
  };
  for (const [index, entry] of listed.entries()) add(entry, null, listed.length === 1 ? place : `${place}[${index}]`);
  return { steps, traces };
}

function stepOf(run: Run, { parent, at, id }: { parent: string | null; at: string; id: string }): RecordedStep {
  const isTool = run.run_type === 'tool';
  const output = isTool ? onlyValue(run.outputs, 'output') : run.outputs;
  const message = isRecord(output) && isRecord(output.kwargs) ? output.kwargs : output;
  const callId = isRecord(message) ? message.tool_call_id : undefined;
  const metadata = isRecord(run.extra) && isRecord(run.extra.metadata) ? run.extra.metadata : {};
  const model = metadata.ls_model_name ?? run.model;
  return {
    id,
    parent: parent ?? run.parent_run_id ?? null,
    kind: run.run_type === 'llm' ? 'model' : isTool ? 'tool' : 'other',
    name: run.name ?? run.run_type,
    place: `${at} (${quoteOutput(run.run_type, { length: 30 })} "${quoteOutput(run.name ?? '', { length: 60 })}")`,
    fields: ['inputs', 'outputs'],
    input: (isTool ? onlyValue(run.inputs, 'input') : run.inputs) ?? null,
    output: output ?? null,
    start: milliseconds(run.start_time),
    end: milliseconds(run.end_time),
    model: typeof model === 'string' ? model : null,
    usage: usageSchema.safeParse(run).data ?? outputUsage(run.outputs),
    cost_usd: typeof run.total_cost === 'number' ? run.total_cost : null,
    error: run.error ?? null,
    callId: typeof callId === 'string' ? callId : null,
    agent: isTool ? null : agentOf(run, metadata),
    provider: isText(metadata.ls_provider) ? metadata.ls_provider : null,
  };
}

/** LangChain names the agent in the metadata. A chain that is called an agent is one. */
function agentOf({ run_type, name }: Run, metadata: Record<string, unknown>): string | null {
  if (isText(metadata.lc_agent_name)) return metadata.lc_agent_name;
  return run_type === 'agent' ? (name ?? run_type) : null;
}

/** Wrappers of LangSmith write the tokens into the outputs, LangChain into the message. */
function outputUsage(outputs: unknown): RecordedStep['usage'] {
  if (!isRecord(outputs)) return null;
  const [generation] = Array.isArray(outputs.generations) ? outputs.generations.flat() : [];
  const message = isRecord(generation) && isRecord(generation.message) ? generation.message : undefined;
  const kwargs = isRecord(message?.kwargs) ? message.kwargs : message;
  return usageSchema.safeParse(outputs.usage_metadata ?? outputs.usage ?? kwargs?.usage_metadata).data ?? null;
}

/** `{input: value}` of a tool, whose arguments are the value. */
function onlyValue(given: unknown, key: string): unknown {
  return isRecord(given) && Object.keys(given).length === 1 && key in given ? given[key] : given;
}
