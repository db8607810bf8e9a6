import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Pricing } from './prices.ts';

/** A model that is going to be called: an agent's, a judge's or a team's. */
export interface CalledModel {
  adapter: string;
  model: string;
  /** The file that asks for it, for the message. */
  file: string;
}

/** Why the cost of an agent's turn is unknown, and what to do about it. */
export function whyCostUnknown({ model, usage }: { model: string | null; usage: unknown }): string {
  if (usage !== null && model === null) {
    return 'a reply of the agent had token counts, but not the name of the model, so its cost is unknown. Let it return `model` or `cost_usd`, or add `model:` to the scenario';
  }
  return usage === null
    ? 'a reply of the agent had no token counts, so its cost is unknown. An agent of your own can return `usage` or `cost_usd`; otherwise run it without a budget'
    : `the price of the model ${JSON.stringify(model)} is unknown. Add it under \`prices\` in salvo.yaml (0 for one that costs nothing), or let the agent return \`cost_usd\``;
}

/** Adapters that call a model by its name. Any other may report its cost itself. */
const CALLS_A_MODEL: ReadonlySet<string | undefined> = new Set(['openai', 'anthropic', 'ai-sdk']);

/** Refuses models whose price is unknown: with a budget to keep, not even the first request may be paid for. */
export async function refuseUnknownPrices(options: {
  called: readonly CalledModel[];
  pricing: Pricing;
  typeOf: (adapter: string) => string | undefined;
  providerOf: (adapter: string) => string;
}): Promise<void> {
  for (const { adapter, model, file } of options.called) {
    if (!CALLS_A_MODEL.has(options.typeOf(adapter))) continue;
    const usage = { input_tokens: 1, output_tokens: 1 };
    const price = await options.pricing.priceTurn({ model, provider: options.providerOf(adapter), usage });
    if (price !== null) continue;
    throw new SalvoError(
      'PRICE_UNKNOWN',
      `${file}: the price of the model "${model}" is unknown, so a budget cannot be kept. Add the model under \`prices:\` in salvo.yaml (0 for one that costs nothing), or run without a budget.`,
    );
  }
}
