import { isRecord } from '../../../text/json/is-record.ts';
import type { Usage } from '../usage.ts';

/** The tokens of an observation of Langfuse, by the names of its versions. Zeros mean that it does not know them. */
export function observationUsage(record: Record<string, unknown>): Usage | null {
  const { inputUsage, outputUsage } = record;
  const totals = inputUsage || outputUsage ? recordedUsage({ inputUsage, outputUsage }) : null;
  return recordedUsage(record.usageDetails) ?? recordedUsage(record.usage) ?? totals;
}

/** What an observation cost, in US dollars. */
export function observationCost({ costDetails, ...record }: Record<string, unknown>): number | null {
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
