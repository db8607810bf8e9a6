import { z } from 'zod';
import { isRecord } from '../../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import { quoteOutput } from '../../../text/output/quote-output.ts';
import { FormError, readAs } from '../form-error.ts';
import { type Usage, usageSchema } from '../usage.ts';
import { parsed } from './recorded-messages.ts';
import { isText, milliseconds, type RecordedStep, type RecordedTrace, rootsOf } from './recorded-step.ts';
import type { Attributes } from './span-messages.ts';
import { callIdOfTool, kindOfSpan, toolName } from './span-step.ts';

const observationSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string(),
  name: z.string().nullish(),
  traceId: z.string().nullish(),
  parentObservationId: z.string().nullish(),
  startTime: z.string().nullish(),
  endTime: z.string().nullish(),
  model: z.string().nullish(),
  level: z.string().nullish(),
  statusMessage: z.string().nullish(),
});
type Observation = z.infer<typeof observationSchema>;

/**
 * A trace of Langfuse with its observations: as the API and the SDKs give it, as the page downloads it
 * (`{trace, observations}`), or the observations by themselves. Undefined if it is none.
 */
export function langfuseTrace(reply: unknown): RecordedTrace | undefined {
  if (Array.isArray(reply)) return reply.length > 0 && reply.every(isObservation) ? traceOf(null, reply) : undefined;
  if (!isRecord(reply) || 'content' in reply || 'messages' in reply) return undefined;
  const trace = isRecord(reply.trace) ? reply.trace : reply;
  const listed = [reply.observations, trace.observations].find((list) => Array.isArray(list) && list.length > 0);
  if (!Array.isArray(listed)) return undefined;
  if (!listed.some(isObservation) && !('input' in trace && 'output' in trace)) return undefined;
  return traceOf(trace, listed);
}

function isObservation(entry: unknown): boolean {
  return isRecord(entry) && typeof entry.type === 'string' && 'startTime' in entry && 'traceId' in entry;
}

function traceOf(trace: Record<string, unknown> | null, listed: readonly unknown[]): RecordedTrace {
  if (listed.some((entry) => typeof entry === 'string')) {
    throw new FormError(
      'observations:',
      'these are only the ids of the observations, so tool calls cannot be seen: pass the trace as Langfuse gives it by its id (GET /api/public/traces/ID), or only {input, output} to judge the answer',
    );
  }
  const observations = listed.map((entry, index) => readAs(observationSchema, entry, `observations[${index}]`));
  const traces = new Set(observations.flatMap(({ traceId }) => traceId ?? []));
  if (traces.size > 1)
    throw new FormError('observations:', `are of ${traces.size} traces: pass those of one at a time`);
  const steps = observations.map(observationStep);
  const whole = trace && {
    input: unquoted(trace.input),
    output: unquoted(trace.output),
    fields: ['input', 'output'] as const,
  };
  return { what: 'the Langfuse trace', steps, roots: [...(whole ? [whole] : []), ...rootsOf(steps)] };
}

/** An observation as a step of its trace. */
export function observationStep(given: unknown, index: number): RecordedStep {
  const observation = readAs(observationSchema, given, `observations[${index}]`);
  const { id, type, name, parentObservationId, model, level, statusMessage } = observation;
  const attributes = attributesOf(observation.metadata);
  const output = parsed(observation.output, 'output');
  const answered = isRecord(output) && isText(output.tool_call_id) ? output.tool_call_id : null;
  const kind = kindOf(type, attributes, answered !== null);
  return {
    id,
    parent: parentObservationId ?? null,
    kind,
    name: (kind === 'tool' ? toolName(attributes) : undefined) ?? name ?? type,
    place: `observations[${index}] (${quoteOutput(type, { length: 30 })} "${quoteOutput(name ?? '', { length: 60 })}")`,
    fields: ['input', 'output'],
    input: observation.input ?? null,
    output: observation.output ?? null,
    start: milliseconds(observation.startTime),
    end: milliseconds(observation.endTime),
    model: model ?? null,
    usage: observationUsage(observation) ?? usageSchema.safeParse(observation.usage).data ?? null,
    cost_usd: observationCost(observation),
    error: level === 'ERROR' ? (statusMessage ?? 'an error') : null,
    callId: answered ?? callIdOfTool(attributes),
    agent: kind === 'tool' ? null : agentOf(observation, attributes),
    provider: [attributes['gen_ai.provider.name'], attributes['gen_ai.system'], attributes['llm.system']].find(isText),
    responseId: kind === 'model' ? [attributes['gen_ai.response.id'], attributes['ai.response.id']].find(isText) : null,
  };
}

function kindOf(type: string, attributes: Attributes, isToolMessage: boolean): RecordedStep['kind'] {
  const told = kindOfSpan({ attributes });
  if (type === 'GENERATION') {
    // Before it had types for tools and agents, everything that named a model was one.
    const operation = attributes['gen_ai.operation.name'];
    return told === 'tool' ? 'tool' : operation === 'invoke_agent' || operation === 'create_agent' ? 'other' : 'model';
  }
  const kind = KINDS.get(type);
  if (kind) return kind;
  if (type === 'AGENT') return 'other';
  return told === 'tool' || isToolMessage || toolName(attributes) !== undefined ? 'tool' : 'other';
}

function agentOf({ type, name, metadata }: Observation, attributes: Attributes): string | null {
  const told = [attributes['gen_ai.agent.name'], attributes['agent.name']].find(isText);
  if (told !== undefined) return told;
  const given = parsed(metadata, 'metadata');
  const own = isRecord(given) ? given.lc_agent_name : undefined;
  return isText(own) ? own : type === 'AGENT' ? (name ?? type) : null;
}

const KINDS = new Map<string, RecordedStep['kind']>([
  ['TOOL', 'tool'],
  ['GUARDRAIL', 'guard'],
  ['EVALUATOR', 'evaluator'],
]);

/** The attributes of the span that an observation was made of: within `attributes`, or with it before their names. */
export function attributesOf(metadata: unknown): Attributes {
  const given = parsed(metadata, 'metadata');
  if (!isRecord(given)) return {};
  const attributes = parsed(given.attributes, 'attributes');
  if (isRecord(attributes)) return attributes;
  const prefix = 'attributes.';
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  );
}

/** A downloaded file has what the trace was asked as JSON within JSON. */
export function unquoted(value: unknown): unknown {
  const inner = typeof value === 'string' && value.startsWith('"') ? jsonOrUndefined(value) : undefined;
  return typeof inner === 'string' ? inner : value;
}

/** The tokens of an observation of Langfuse, by the names of its versions. Zeros mean that it does not know them. */
export function observationUsage(record: Record<string, unknown>): Usage | null {
  const { inputUsage, outputUsage } = record;
  const totals = inputUsage || outputUsage ? recordedUsage({ inputUsage, outputUsage }) : null;
  return recordedUsage(record.usageDetails) ?? recordedUsage(record.usage) ?? totals;
}

/** What an observation cost, in US dollars. */
function observationCost({ costDetails, ...record }: Record<string, unknown>): number | null {
  const given = isRecord(costDetails) ? costDetails.total : undefined;
  const total = given ?? (record.calculatedTotalCost || record.totalCost);
  return typeof total === 'number' && (total > 0 || given !== undefined) ? total : null;
}

/**
 * Tokens as Langfuse keeps them: kinds that do not overlap, such as `input` and `input_cache_read`. Like Langfuse itself,
 * this adds up all kinds with "input" in their name, and all with "output". Null when either is missing.
 */
function recordedUsage(given: unknown): Usage | null {
  if (!isRecord(given)) return null;
  const sum = (word: string): number | null => {
    const found = Object.entries(given).flatMap(([kind, tokens]) =>
      kind.toLowerCase().includes(word) && typeof tokens === 'number' && tokens >= 0 && !/cost/i.test(kind)
        ? tokens
        : [],
    );
    return found.length === 0 ? null : found.reduce((total, tokens) => total + tokens, 0);
  };
  const [input_tokens, output_tokens] = [sum('input'), sum('output')];
  return input_tokens === null || output_tokens === null ? null : { input_tokens, output_tokens };
}
