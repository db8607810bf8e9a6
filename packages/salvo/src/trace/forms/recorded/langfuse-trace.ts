import { z } from 'zod';
import { isRecord } from '../../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import { quoteOutput } from '../../../text/output/quote-output.ts';
import { FormError, readAs } from '../form-error.ts';
import { parsed } from './recorded-messages.ts';
import { isText, milliseconds, type RecordedStep, type RecordedTrace, rootsOf } from './recorded-step.ts';
import { observationCost, observationUsage } from './recorded-usage.ts';

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
  const steps = observations.map(stepOf);
  const whole = trace && {
    input: unquoted(trace.input),
    output: unquoted(trace.output),
    fields: ['input', 'output'] as const,
  };
  return { what: 'the Langfuse trace', steps, roots: [...(whole ? [whole] : []), ...rootsOf(steps)] };
}

function stepOf(observation: Observation, index: number): RecordedStep {
  const { id, type, name, parentObservationId, model, level, statusMessage } = observation;
  const attributes = attributesOf(observation.metadata);
  const output = parsed(observation.output, 'output');
  const toolName = [attributes['gen_ai.tool.name'], attributes['ai.toolCall.name'], attributes['tool.name']].find(
    isText,
  );
  const answered = isRecord(output) && isText(output.tool_call_id) ? output.tool_call_id : null;
  const isTool = type === 'TOOL' || toolName !== undefined || answered !== null;
  return {
    id,
    parent: parentObservationId ?? null,
    kind: KINDS.get(type) ?? (isTool && type !== 'AGENT' ? 'tool' : 'other'),
    name: toolName ?? name ?? type,
    place: `observations[${index}] (${quoteOutput(type, { length: 30 })} "${quoteOutput(name ?? '', { length: 60 })}")`,
    fields: ['input', 'output'],
    input: observation.input ?? null,
    output: observation.output ?? null,
    start: milliseconds(observation.startTime),
    end: milliseconds(observation.endTime),
    model: model ?? null,
    usage: observationUsage(observation),
    cost_usd: observationCost(observation),
    error: level === 'ERROR' ? (statusMessage ?? 'an error') : null,
    callId: answered ?? [attributes['gen_ai.tool.call.id'], attributes['ai.toolCall.id']].find(isText) ?? null,
  };
}

const KINDS = new Map<string, RecordedStep['kind']>([
  ['GENERATION', 'model'],
  ['TOOL', 'tool'],
  ['GUARDRAIL', 'guard'],
  ['EVALUATOR', 'evaluator'],
]);

function attributesOf(metadata: unknown): Record<string, unknown> {
  const given = parsed(metadata, 'metadata');
  return isRecord(given) && isRecord(given.attributes) ? given.attributes : {};
}

/** A downloaded file has what the trace was asked as JSON within JSON. */
function unquoted(value: unknown): unknown {
  const inner = typeof value === 'string' && value.startsWith('"') ? jsonOrUndefined(value) : undefined;
  return typeof inner === 'string' ? inner : value;
}
