import { isRecord } from '../../../text/json/is-record.ts';
import { quoteOutput } from '../../../text/output/quote-output.ts';
import { usageSchema } from '../usage.ts';
import { isText, milliseconds, type RecordedStep } from './recorded-step.ts';

type Fields = Record<string, unknown>;

const KINDS = new Map<unknown, RecordedStep['kind']>([
  ['llm', 'model'],
  ['tool', 'tool'],
  ['score', 'evaluator'],
  ['scorer', 'evaluator'],
]);

/** A row of an experiment or of the logs of Braintrust, which is a span. */
export function isRow(value: unknown): value is Fields {
  if (!isRecord(value)) return false;
  const isSpan = isText(value.span_id) && isText(value.root_span_id);
  return isSpan && ('input' in value || 'span_attributes' in value || 'scores' in value);
}

export function rowStep(row: Fields, index: number): RecordedStep {
  const attributes = fieldsIn(row.span_attributes);
  const metadata = fieldsIn(row.metadata);
  const metrics = fieldsIn(row.metrics);
  const parents = Array.isArray(row.span_parents) ? row.span_parents : [];
  const kind = KINDS.get(attributes.type) ?? 'other';
  const name = isText(attributes.name) ? attributes.name : isText(attributes.type) ? attributes.type : 'a span';
  const error = row.error ?? null;
  const callId = metadata.tool_call_id ?? metadata.call_id;
  return {
    id: String(row.span_id),
    parent: [row.parent_id, parents[0]].find(isText) ?? null,
    kind,
    name,
    place: `rows[${index}] ("${quoteOutput(name, { length: 60 })}")`,
    fields: ['input', 'output'],
    input: row.input ?? null,
    output: row.output ?? null,
    start: seconds(metrics.start) ?? milliseconds(row.created),
    end: seconds(metrics.end),
    model: [metadata.model, row.model].find(isText) ?? null,
    usage: kind === 'model' ? (usageSchema.safeParse(usageOf(metrics)).data ?? null) : null,
    cost_usd: typeof metrics.estimated_cost === 'number' ? metrics.estimated_cost : null,
    error: error === null ? null : isText(error) ? error : JSON.stringify(error),
    callId: isText(callId) ? callId : null,
    agent: isText(metadata.agent_name) ? metadata.agent_name : attributes.type === 'agent' ? name : null,
    provider: isText(metadata.provider) ? metadata.provider : null,
  };
}

function fieldsIn(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function seconds(time: unknown): number | null {
  return typeof time === 'number' ? milliseconds(time * 1000) : null;
}

/** The tokens that were read from the cache are among those of the prompt. */
function usageOf(metrics: Fields): Fields {
  return {
    input_tokens: metrics.prompt_tokens,
    output_tokens: metrics.completion_tokens,
    cache_read_tokens: metrics.prompt_cached_tokens,
    cache_write_tokens: metrics.prompt_cache_creation_tokens,
  };
}
