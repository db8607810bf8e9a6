import type {
  Adapter,
  AdapterConfig,
  AdapterTurnResult,
  AgentTrace,
  ToolDefinition,
  Usage,
} from '../../adapters/adapter.ts';
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
  const prompt = {
    ...{ provider, model: config.model, tools: tools.map(({ name }) => name) },
    place: messages.filter(({ role }) => role === 'assistant').length,
  };
  // The model calls of an observed agent are paid for one by one.
  if (adapter.observes === 'model' || (await isFree(prompt, pricing))) return unpaid(prompt);
  if (!adapter.isOneModelCall) return { ...kindAndPlace(prompt), estimateUsd: null, mostUsd: null };
  // A token has at least one byte.
  const { maxTokens, extras = {}, decision } = config;
  const bytes = Buffer.byteLength(JSON.stringify([messages, tools, ...(decision ? [decision] : [])]));
  const isLimited = !RAISE_THE_LIMIT.some((option) => Object.hasOwn(extras, option));
  return describePaidPrompt({ ...prompt, bytes, maxTokens, isLimited }, pricing);
}

/** A prompt, before it is sent to a model. */
export interface Prompt {
  provider: string;
  model: string;
  /** Their names. */
  tools: readonly string[];
  place: number;
  bytes: number;
  maxTokens: number | undefined;
  /** Whether the answer has at most `maxTokens`. */
  isLimited: boolean;
}

export async function describePrompt(prompt: Prompt, pricing: Pricing): Promise<PaidCall> {
  return (await isFree(prompt, pricing)) ? unpaid(prompt) : describePaidPrompt(prompt, pricing);
}

async function describePaidPrompt(prompt: Prompt, pricing: Pricing): Promise<PaidCall> {
  const { bytes, maxTokens = LONGEST_ANSWER_TOKENS, isLimited } = prompt;
  const priceOf = priceOfTokens(prompt, pricing);
  return {
    ...kindAndPlace(prompt),
    estimateUsd: await priceOf(Math.ceil(bytes / USUAL_BYTES_PER_TOKEN), Math.min(maxTokens, USUAL_ANSWER_TOKENS)),
    mostUsd: isLimited ? await priceOf(bytes + ADDED_TOKENS, maxTokens) : null,
  };
}

type NamedPrompt = Pick<Prompt, 'provider' | 'model' | 'tools' | 'place'>;

function kindAndPlace({ provider, model, tools, place }: NamedPrompt): Pick<PaidCall, 'kind' | 'place'> {
  return { kind: JSON.stringify([provider, model, tools]), place };
}

function unpaid(prompt: NamedPrompt): PaidCall {
  return { ...kindAndPlace(prompt), estimateUsd: 0, mostUsd: 0 };
}

function priceOfTokens({ provider, model }: Pick<Prompt, 'provider' | 'model'>, pricing: Pricing) {
  return (input_tokens: number, output_tokens: number): Promise<number | null> =>
    pricing.priceTurn({ model, provider, usage: { input_tokens, output_tokens } });
}

async function isFree(prompt: Pick<Prompt, 'provider' | 'model'>, pricing: Pricing): Promise<boolean> {
  return (await priceOfTokens(prompt, pricing)(1, 1)) === 0;
}

/** More than any model reads or writes in a turn, and more than any turn costs. */
const MOST_TOKENS = 1e12;
const MOST_USD = 1e9;

/** A turn whose tokens and cost can be true. A server that reports 1e21 tokens has not said how many there were. */
export function withPlausibleFigures(result: AdapterTurnResult): AdapterTurnResult {
  const { usage, cost_usd, trace } = result;
  const isPlausible = plausible(cost_usd, MOST_USD) === cost_usd && (usage === null || isPlausibleUsage(usage));
  if (isPlausible && trace === undefined) return result;
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

/** The tokens of a turn, or of the whole conversation when the agent ran it. */
export function usageOf({ trace, usage }: Pick<AdapterTurnResult, 'trace' | 'usage'>): Usage | null {
  return trace ? usageOfTrace(trace) : usage;
}

function usageOfTrace({ input_tokens, output_tokens }: AgentTrace): Usage | null {
  if (input_tokens === undefined || input_tokens === null) return null;
  if (output_tokens === undefined || output_tokens === null) return null;
  return { input_tokens, output_tokens };
}
