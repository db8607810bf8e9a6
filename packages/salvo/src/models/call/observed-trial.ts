import type { WorkClock } from '../../adapters/call/work-clock.ts';
import type { ObservedTrial } from '../../adapters/observe/observation.ts';
import type { CallBudget } from '../budget/budget.ts';
import { describePrompt } from '../budget/call-cost.ts';
import type { Pricing } from '../budget/prices.ts';
import { whyCostUnknown } from '../budget/unknown-prices.ts';
import type { Limiter } from './limiter.ts';

interface Services {
  pricing: Pricing;
  budget: CallBudget;
  limiter: Limiter;
  /** Does not run while a request waits for the budget or its place. */
  clock: WorkClock;
}

/** Limits, budget and prices for the requests that an observed agent sends to its model. */
export function observedTrial(
  { pricing, budget, limiter, clock }: Services,
  onFailedTurn: ObservedTrial['onFailedTurn'],
): ObservedTrial {
  const price: ObservedTrial['price'] = (call) => pricing.priceTurn(call);
  return {
    price,
    onFailedTurn,
    async admit(request, signal) {
      const prompt = { ...request, isLimited: request.maxTokens !== undefined };
      const admitted = await clock.whileWaiting(() => budget.admit(() => describePrompt(prompt, pricing), signal));
      const place = await placeOf({ limiter, clock }, signal).catch((error: unknown) => {
        admitted.notPaid();
        throw error;
      });
      return {
        async answered(usage, answeredBy) {
          place.leave();
          const usd = await pricing.priceTurn({ ...request, answeredBy, usage }).catch(() => null);
          admitted.paid(usd, whyCostUnknown({ model: answeredBy ?? request.model, usage }));
          return usd;
        },
        maybeCharged() {
          place.leave();
          admitted.maybePaid();
        },
        notCharged() {
          place.leave();
          admitted.notPaid();
        },
      };
    },
  };
}

/** A place of the limiter, which is kept until the request has ended. */
async function placeOf(
  { limiter, clock }: Pick<Services, 'limiter' | 'clock'>,
  signal: AbortSignal,
): Promise<{ leave: () => void }> {
  const entered = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const send = (): Promise<void> => {
    entered.resolve();
    return ended.promise;
  };
  limiter.run(send, signal, clock.whileWaiting).catch(entered.reject);
  await entered.promise;
  return { leave: ended.resolve };
}
