import type { AdapterTurnResult, Usage } from '../adapters/adapter.ts';
import { sumOrUnknown } from '../stats/sum-or-unknown.ts';
import type { Step } from '../trace/message.ts';

/** US dollars; null if the price is unknown. */
type PriceOf = (usage: Usage, model: string) => Promise<number | null>;

/**
 * Adds its cost to each step of an answer that tells its tokens. A step that names no model was made by `model`, unless
 * other steps name theirs. Returns the cost of all steps if they have different models and are all that was used:
 * the sum of their tokens has no price then. Otherwise null.
 */
export async function priceSteps(
  result: AdapterTurnResult,
  { model, usage, priceOf }: { model: string | null; usage: Usage | null; priceOf: PriceOf },
): Promise<number | null> {
  const steps = stepsIn(result);
  const models = new Set(steps.flatMap((step) => step.model ?? []));
  for (const step of steps) {
    const by = step.model ?? (models.size === 0 ? model : null);
    const used = usageOfStep(step);
    if (step.cost_usd !== undefined || used === null || by === null) continue;
    const cost = await priceOf(used, by);
    if (cost !== null) step.cost_usd = cost;
  }
  const sum = sumOrUnknown(steps.map(({ input_tokens }) => input_tokens ?? null));
  if (models.size < 2 || usage === null || sum !== usage.input_tokens) return null;
  return sumOrUnknown(steps.map(({ cost_usd }) => cost_usd ?? null));
}

function stepsIn({ trace, messages, step }: AdapterTurnResult): Step[] {
  const answers = trace?.messages ?? messages;
  if (!answers) return step ? [step] : [];
  return answers.flatMap((message) => (message.role === 'assistant' ? [message.step ?? {}] : []));
}

function usageOfStep({ input_tokens, output_tokens, cache_read_tokens, cache_write_tokens }: Step): Usage | null {
  if (input_tokens === undefined || output_tokens === undefined) return null;
  return {
    ...{ input_tokens, output_tokens },
    ...(cache_read_tokens === undefined ? {} : { cache_read_tokens }),
    ...(cache_write_tokens === undefined ? {} : { cache_write_tokens }),
  };
}
