import { BudgetError, type CallBudget, type Reservation } from './budget.ts';

/** What a trial reserves. Its calls use it up, and more if need be. */
export function createReservation(
  trial: { reserved: number },
  admitCall: CallBudget['admit'],
  /** `usd` is what the trial cost, as far as it tells what the next one costs. */
  onRelease: (usd: number | null) => void,
): Reservation {
  let cost = 0;
  let answers = 0;
  let wasRefused = false;
  const count = (usd: number): number => {
    trial.reserved -= Math.min(trial.reserved, usd);
    cost += usd;
    return usd;
  };
  return {
    get wasRefused() {
      return wasRefused;
    },
    admit: async (describe, signal) => {
      const admitted = await admitCall(describe, signal).catch((error: unknown) => {
        wasRefused ||= error instanceof BudgetError;
        throw error;
      });
      return {
        ...admitted,
        paid: (usd, whyUnknown) => {
          answers += 1;
          return count(admitted.paid(usd, whyUnknown));
        },
        maybePaid: () => count(admitted.maybePaid()),
      };
    },
    // A trial that never got an answer does not tell what the next one costs.
    release: (usd = answers > 0 ? cost : null) => onRelease(usd),
  };
}
