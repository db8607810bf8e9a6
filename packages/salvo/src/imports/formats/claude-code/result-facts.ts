import { isRecord } from '../../../text/json/is-record.ts';
import type { ConversationFacts } from '../../../trace/foreign-trace.ts';
import { usageSchema } from '../../../trace/forms/usage.ts';
import { amountOf, textOf } from '../record-fields.ts';
import { knownUsage } from '../session/session-usage.ts';

export type ResultFacts = Pick<
  ConversationFacts,
  'usage' | 'cost_usd' | 'latency_seconds' | 'finish_reason' | 'error' | 'final_content'
>;

/**
 * What the result messages of the Claude Agent SDK say about a conversation. There is one for each turn of the user. Cost and
 * `modelUsage` are those of all turns until then, `usage` and the time are those of one.
 */
export function resultFacts(results: readonly Record<string, unknown>[]): ResultFacts {
  const last = results.at(-1);
  if (!last) return {};
  const subtype = textOf(last, 'subtype') ?? 'success';
  const times = results.flatMap(({ duration_ms }) => amountOf(duration_ms) ?? []);
  // Limits that the user set are an end like any other.
  const isError = last.is_error === true && !subtype.startsWith('error_max_');
  return {
    usage: usageByModel(last.modelUsage) ?? knownUsage(results.map(usageOfResult)),
    cost_usd: amountOf(last.total_cost_usd),
    latency_seconds: times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / 1000,
    finish_reason: subtype === 'success' ? textOf(last, 'stop_reason') : subtype,
    error: isError ? errorText(last, subtype) : null,
    final_content: isError ? null : textOf(last, 'result'),
  };
}

function usageOfResult({ usage }: Record<string, unknown>) {
  return usageSchema.safeParse(usage).data ?? null;
}

function usageByModel(models: unknown) {
  if (!isRecord(models)) return null;
  const usages = Object.values(models).map((figures) => {
    if (!isRecord(figures)) return null;
    return (
      usageSchema.safeParse({
        ...{ input_tokens: figures.inputTokens, output_tokens: figures.outputTokens },
        cache_read_input_tokens: figures.cacheReadInputTokens,
        cache_creation_input_tokens: figures.cacheCreationInputTokens,
      }).data ?? null
    );
  });
  return knownUsage(usages);
}

function errorText(result: Record<string, unknown>, subtype: string): string {
  const errors = Array.isArray(result.errors) ? result.errors.filter((error) => typeof error === 'string') : [];
  return errors.join('; ') || textOf(result, 'result') || subtype;
}
