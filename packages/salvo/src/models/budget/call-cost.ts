import type { Adapter, AdapterConfig, ToolDefinition } from '../../adapters/adapter.ts';
import type { Message } from '../../trace/message.ts';
import type { PaidCall } from './budget.ts';
import type { Pricing } from './prices.ts';

/** No model writes more in one answer. */
const LONGEST_ANSWER_TOKENS = 131_072;
/** What providers add to a prompt for tools. */
const ADDED_TOKENS = 1000;
/** A short answer, for an estimate. */
const USUAL_ANSWER_TOKENS = 500;
const USUAL_BYTES_PER_TOKEN = 4;

/** Options of providers that ask for more than one answer, or for a longer one than `maxTokens`. */
const RAISE_THE_LIMIT = ['n', 'best_of', 'max_tokens', 'max_completion_tokens', 'maxOutputTokens'];

/** What a call can cost, from the size of its prompt and the longest answer that it may get. */
export async function describeCall(call: {
  adapter: Adapter;
  messages: readonly Message[];
  tools: readonly ToolDefinition[];
  config: AdapterConfig;
  pricing: Pricing;
}): Promise<PaidCall> {
  const { adapter, messages, tools, config, pricing } = call;
  const provider = adapter.providerName();
  const priceOf = (input_tokens: number, output_tokens: number): Promise<number | null> =>
    pricing.priceTurn({ model: config.model, provider, usage: { input_tokens, output_tokens } });
  const kind = JSON.stringify([provider, config.model, tools.map(({ name }) => name)]);
  const place = messages.filter(({ role }) => role === 'assistant').length;
  if ((await priceOf(1, 1)) === 0) return { kind, place, estimateUsd: 0, mostUsd: 0 };
  if (!adapter.isOneModelCall) return { kind, place, estimateUsd: null, mostUsd: null };
  // A token has at least one byte.
  const bytes = Buffer.byteLength(JSON.stringify([messages, tools]));
  const { maxTokens = LONGEST_ANSWER_TOKENS, extras = {} } = config;
  const isLimited = !RAISE_THE_LIMIT.some((option) => Object.hasOwn(extras, option));
  return {
    kind,
    place,
    estimateUsd: await priceOf(Math.ceil(bytes / USUAL_BYTES_PER_TOKEN), Math.min(maxTokens, USUAL_ANSWER_TOKENS)),
    mostUsd: isLimited ? await priceOf(bytes + ADDED_TOKENS, maxTokens) : null,
  };
}
