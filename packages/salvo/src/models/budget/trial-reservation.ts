import { BudgetError, type CallBudget, type Reservation } from './budget.ts';

/** The share that a trial reserves. Its calls use it up, and more if need be. */
export function createReservation(
  share: number,
  trial: {
    admit: CallBudget['admit'];
    /** So much of the share is not held back any more, because it was spent. */
    onSpent: (usd: number) => void;
    /** `heldBack` is left of the share. `usd` is what the trial cost, as far as it tells what the next one costs. */
    onRelease: (heldBack: number, usd: number | null) => void;
  },
): Reservation {
  let heldBack = share;
  let cost = 0;
  let answers = 0;
  let wasRefused = false;
  const count = (usd: number): number => {
    const taken = Math.min(heldBack, usd);
    heldBack -= taken;
    cost += usd;
    trial.onSpent(taken);
    return usd;
  };
  return {
    get wasRefused() {
      return wasRefused;
    },
    admit: async (describe, signal) => {
      const admitted = await trial.admit(describe, signal).catch((error: unknown) => {
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
    release: (usd = answers > 0 ? cost : null) => {
      trial.onRelease(heldBack, usd);
      heldBack = 0;
    },
  };
}
