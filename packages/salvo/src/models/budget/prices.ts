import type { calcPrice, PriceOptions } from '@pydantic/genai-prices';
import { z } from 'zod';
import type { Usage } from '../../adapters/adapter.ts';
import { remembered } from '../../text/memo.ts';

/** US dollars per million tokens, as a project states them. */
export const priceSchema = z.strictObject({
  input_per_million: z.number().nonnegative().describe('US dollars for a million tokens read.'),
  output_per_million: z.number().nonnegative().describe('US dollars for a million tokens written.'),
  cache_read_per_million: z.number().nonnegative().optional().describe('For tokens read from the cache.'),
  cache_write_per_million: z.number().nonnegative().optional().describe('For tokens written to the cache.'),
});

export type Price = z.infer<typeof priceSchema>;

interface PricedTurn {
  model: string;
  /** The model that answered, if the provider or the agent says that it was another. */
  answeredBy?: string | undefined;
  /** The adapter's `providerName()`. Only a hint: some providers sell the models of others. */
  provider: string;
  usage: Usage | null;
}

export interface Pricing {
  /** US dollars, or null when the price or the tokens are unknown. Unknown is never 0. */
  priceTurn(turn: PricedTurn): Promise<number | null>;
}

type PriceList = (usage: Usage) => number | null;

/**
 * Prices of turns: the project's own first, then the bundled list, which is loaded on first use. In both, the model that
 * answered comes before the one that was asked for. So a project that states what its gateway or local server costs is
 * right, whatever name the answers have, and a name that no list has, such as the path of a file, costs what was asked for.
 */
export function createPricing(overrides: Record<string, Price> = {}): Pricing {
  const lists = new Map<string, Promise<PriceList>>();
  return {
    async priceTurn({ model, answeredBy, provider, usage }) {
      // The default model of the scripted adapter: nothing was called.
      if (provider === 'scripted' && model === 'scripted' && !Object.hasOwn(overrides, model)) return 0;
      if (usage === null) return null;
      const names = [answeredBy, model].filter((name) => name !== undefined);
      const own = names.find((name) => Object.hasOwn(overrides, name));
      if (own !== undefined) return overridePrice(usage, overrides[own]);
      for (const name of names) {
        const key = JSON.stringify([provider, name]);
        const list = await remembered(lists, key, () => findPriceList(provider, name));
        const price = list(usage);
        if (price !== null) return price;
      }
      return null;
    },
  };
}

function overridePrice(usage: Usage, price: Price | undefined): number | null {
  if (price === undefined) return null;
  const read = usage.cache_read_tokens ?? 0;
  const written = usage.cache_write_tokens ?? 0;
  const plain = Math.max(0, usage.input_tokens - read - written);
  const millionths =
    plain * price.input_per_million +
    read * (price.cache_read_per_million ?? price.input_per_million) +
    written * (price.cache_write_per_million ?? price.input_per_million) +
    usage.output_tokens * price.output_per_million;
  return millionths / 1_000_000;
}

async function findPriceList(provider: string, model: string): Promise<PriceList> {
  const { calcPrice: calculate } = await import('@pydantic/genai-prices');
  for (const [name, options] of candidates(provider, model)) {
    const found = calculate(PROBE, name, options);
    // A model that is listed without prices would seem to be free.
    if (found?.model_price.input_mtok === undefined && found?.model_price.output_mtok === undefined) continue;
    return (usage) => bundledPrice(calculate, usage, name, { provider: found.provider });
  }
  return () => null;
}

/** How many tokens fit in the context of a model, by the bundled list; null when the list does not know. */
export async function contextWindow(provider: string, model: string): Promise<number | null> {
  const { calcPrice: calculate } = await import('@pydantic/genai-prices');
  for (const [name, options] of candidates(provider, model)) {
    const tokens = calculate(PROBE, name, options)?.model.context_window;
    if (tokens !== undefined) return tokens;
  }
  return null;
}

const PROBE = { input_tokens: 1, output_tokens: 1 };

/** Where to look, most certain first: "openai/gpt-4o" is a name of OpenRouter, or the maker's name after the slash. */
function candidates(provider: string, model: string): [string, PriceOptions][] {
  const slash = model.indexOf('/');
  const own: [string, PriceOptions][] = [
    [model, { providerId: provider }],
    [model, {}],
  ];
  if (slash === -1) return own;
  const maker = model.slice(0, slash);
  const rest = model.slice(slash + 1);
  return [...own, [rest, { providerId: maker }], [model, { providerId: 'openrouter' }], ...candidates(maker, rest)];
}

/** The library throws on counts that contradict each other, such as more cached tokens than tokens. */
function bundledPrice(calculate: typeof calcPrice, usage: Usage, model: string, options: PriceOptions): number | null {
  try {
    const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage;
    const counts = { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens };
    return calculate(counts, model, options)?.total_price ?? null;
  } catch {
    return null;
  }
}
