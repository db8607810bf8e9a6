import type { AdapterTurnResult, Usage } from '../../adapters/adapter.ts';

/** More than any model reads or writes in a turn, and more than any turn costs. */
const MOST_TOKENS = 1e12;
const MOST_USD = 1e9;

/** A turn whose tokens and cost can be true. A server that reports 1e21 tokens has not said how many there were. */
export function withPlausibleFigures(result: AdapterTurnResult): AdapterTurnResult {
  const { usage, cost_usd, trace } = result;
  return {
    ...result,
    usage: isPlausibleUsage(usage) ? usage : null,
    cost_usd: plausible(cost_usd, MOST_USD) ?? undefined,
    ...(trace && {
      trace: {
        ...trace,
        input_tokens: plausible(trace.input_tokens, MOST_TOKENS),
        output_tokens: plausible(trace.output_tokens, MOST_TOKENS),
        cost_usd: plausible(trace.cost_usd, MOST_USD),
      },
    }),
  };
}

function isPlausibleUsage(usage: Usage | null): boolean {
  // An adapter of a user may leave it out.
  return usage != null && Object.values(usage).every((count) => plausible(count, MOST_TOKENS) === count);
}

function plausible(value: number | null | undefined, most: number): number | null | undefined {
  return typeof value === 'number' && !(value >= 0 && value <= most) ? null : value;
}
