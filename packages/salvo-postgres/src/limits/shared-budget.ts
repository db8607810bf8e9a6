import { type BranchState, type Budget, type BudgetBank, LimitedBudget, type Spender } from 'salvo/kit/models';

/** A process's part of a budget that several keep together. */
export interface SharedBudget extends Budget, AsyncDisposable {
  /** Another process waits for money: whatever is left over is given back. */
  giveBack(): void;
}

/** Calls `run` after so many milliseconds, unless the returned function is called before. */
export type After = (ms: number, run: () => void) => () => void;

export interface SharedBudgetOptions {
  bank: BudgetBank;
  isHeard(): boolean;
  after?: After | undefined;
}

/** How long to wait before the bank is asked again that had nothing. The pause doubles each time. */
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS: Record<Spender, number> = { trial: 1000, call: 250 };
/** Several calls that end within this time give back what is left over together. */
const GIVE_BACK_MS = 50;
/** A process that does nothing usually takes the next job at once. */
const IDLE_MS = 300;

export function createSharedBudget(options: SharedBudgetOptions): SharedBudget {
  const { bank, isHeard, after = afterTimeout } = options;
  const budget = new LimitedBudget(null, { onChange: consider, isHeard });
  let state: BranchState = { waits: new Set(), isIdle: true, hasNews: false };
  let underWay: Promise<void> | null = null;
  let isWanted = false;
  let isClosed = false;
  const pauses = { trial: createPause('trial'), call: createPause('call') };
  const givingBack = createTimer(GIVE_BACK_MS);
  const idling = createTimer(IDLE_MS);

  function consider(changed: BranchState): void {
    state = changed;
    if (underWay || isClosed) return;
    if (state.hasNews || [...state.waits].some((spender) => !pauses[spender].isRunning())) {
      underWay = exchange();
      return;
    }
    const hasSurplus = budget.hasSurplus;
    givingBack.setTo(isWanted && hasSurplus);
    idling.setTo(state.isIdle && (hasSurplus || budget.isUnsettled));
  }

  async function exchange(): Promise<void> {
    givingBack.setTo(false);
    idling.setTo(false);
    state = { ...state, hasNews: false };
    try {
      const exchanged = await budget.exchange(bank);
      isWanted = exchanged.isWanted;
      for (const spender of exchanged.decided) pauses[spender].reset();
      for (const spender of exchanged.waits) pauses[spender].start();
    } catch {
      // The code that waits for the answer has the error. Otherwise what was spent is said the next time.
      for (const pause of Object.values(pauses)) pause.start();
    }
    underWay = null;
    consider(state);
  }

  function createTimer(ms: number) {
    let cancel: (() => void) | null = null;
    return {
      setTo(isSet: boolean): void {
        if (isSet === (cancel !== null)) return;
        cancel?.();
        cancel = null;
        if (!isSet) return;
        cancel = after(ms, () => {
          cancel = null;
          if (!isClosed) underWay ??= exchange();
        });
      },
    };
  }

  function createPause(spender: Spender) {
    let ms = SHORTEST_PAUSE_MS;
    let cancel: (() => void) | null = null;
    return {
      isRunning: () => cancel !== null,
      start(): void {
        cancel?.();
        cancel = after(ms, () => {
          cancel = null;
          consider(state);
        });
        ms = Math.min(2 * ms, LONGEST_PAUSE_MS[spender]);
      },
      reset(): void {
        ms = SHORTEST_PAUSE_MS;
      },
      stop: () => cancel?.(),
    };
  }

  return {
    admit: (describe, signal) => budget.admit(describe, signal),
    reserve: (kind, signal) => budget.reserve(kind, signal),
    // The lead has told the bank.
    addEarlier: () => {},
    get refusal() {
      return budget.refusal;
    },
    giveBack() {
      isWanted = true;
      consider(state);
    },
    async [Symbol.asyncDispose]() {
      if (isClosed) return;
      isClosed = true;
      for (const timer of [givingBack, idling]) timer.setTo(false);
      for (const pause of Object.values(pauses)) pause.stop();
      await underWay;
      if (budget.hasSurplus || budget.isUnsettled) await budget.exchange(bank);
    },
  };
}

const afterTimeout: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
