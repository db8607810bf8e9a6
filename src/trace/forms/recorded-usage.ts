import { isRecord } from '../../text/json/is-record.ts';
import type { Usage } from './usage.ts';

/**
 * Tokens as Langfuse keeps them: kinds that do not overlap, such as `input` and `input_cache_read`. Like Langfuse itself,
 * this adds up all kinds with "input" in their name, and all with "output". Null when either is missing.
 */
export function recordedUsage(given: unknown): Usage | null {
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
