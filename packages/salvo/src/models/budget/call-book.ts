import type { AdmittedCall, PaidCall } from './budget.ts';
import { KnownCosts } from './known-costs.ts';

const UNKNOWN_COST =
  'a reply had no token counts, or its model has no price under `prices` in salvo.yaml, so its cost is unknown';

/** What a process has spent on calls, what those under way may cost, and what is known about calls by kind. */
export class CallBook {
  /** Of this process, from the beginning. `held` is for calls that may have been charged, nobody knows how much. */
  own = { spent: 0, held: 0, unknownCalls: 0 };
  /** The part of it that a bank knows. */
  settled = { spent: 0, held: 0, unknownCalls: 0 };
  readonly costs = new Map<string, KnownCosts>();
  /** What the calls under way can cost that have an upper limit. */
  bounded = 0;
  boundedCalls = 0;
  /** The one call under way that has no upper limit, with what it is expected to cost. */
  open: { kind: string; mostUsd: number | null; expected: number } | null = null;
  /** A cost is unknown and nothing is known to hold back for it, so no call is safe. */
  cannotBeKept: string | null = null;

  /** A call with an upper limit, which is held back until it ends. */
  begin(call: PaidCall, most: number, onEnd: () => void): AdmittedCall {
    const known = this.costsOf(call.kind);
    this.bounded += most;
    this.boundedCalls += 1;
    known.underWay += 1;
    return this.#ending(call, () => {
      known.underWay -= 1;
      this.boundedCalls -= 1;
      // No rounding errors are left when no call is.
      this.bounded = this.boundedCalls === 0 ? 0 : this.bounded - most;
      onEnd();
    });
  }

  /** The one call without an upper limit. */
  beginOpen(call: PaidCall, expected: number, onEnd: () => void): AdmittedCall {
    this.open = { kind: call.kind, mostUsd: call.mostUsd, expected };
    return this.#ending(call, () => {
      this.open = null;
      onEnd();
    });
  }

  costsOf(kind: string): KnownCosts {
    const known = this.costs.get(kind) ?? new KnownCosts();
    this.costs.set(kind, known);
    return known;
  }

  /** What was spent or is held back, and no bank knows of. Without a bank: all of it. */
  unsettled(): number {
    return this.own.spent - this.settled.spent + (this.own.held - this.settled.held);
  }

  /** What calls under way hold back. */
  underWay(): number {
    return this.bounded + (this.open?.expected ?? 0);
  }

  #ending(call: PaidCall, end: () => void): AdmittedCall {
    const known = this.costsOf(call.kind);
    const endUnknown = (held: number): number => {
      this.own.unknownCalls += 1;
      this.own.held += held;
      end();
      return held;
    };
    return {
      paid: (usd, whyUnknown = UNKNOWN_COST) => {
        if (usd === null) {
          const held = known.highest ?? call.mostUsd;
          if (held === null) this.cannotBeKept ??= `the budget cannot be kept: ${whyUnknown}`;
          return endUnknown(held ?? 0);
        }
        this.own.spent += usd;
        // Held back now, for calls that ended before anything was known about their kind.
        if (known.highest === null) this.own.held += known.unheld * usd;
        known.add(call, usd);
        end();
        return usd;
      },
      maybePaid: () => {
        const held = known.highest ?? call.mostUsd;
        if (held === null) known.unheld += 1;
        return endUnknown(held ?? 0);
      },
      notPaid: end,
    };
  }
}
