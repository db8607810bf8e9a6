import { type Budget, type BudgetActivity, type BudgetReport, LeasedBudget, type RenewedLease } from 'salvo/kit/models';
import { type After, afterTimeout, Pause, Timer } from './timers.ts';

/** A process's part of a budget that several keep together. */
export interface SharedBudget extends Budget, AsyncDisposable {
  /** Another process waits for money: whatever is left over is given back. */
  giveBack(): void;
}

export interface SharedBudgetOptions {
  renewLease(report: BudgetReport): Promise<RenewedLease>;
  isReachable(): boolean;
  after?: After | undefined;
}

/** The longest time after which a process asks again for a trial or a call that has to wait. */
const LONGEST_PAUSE_MS = { trial: 1000, call: 250 };
/** Several calls that end within this time give back what is left over together. */
const GIVE_BACK_MS = 50;
/** A process that does nothing usually takes the next job at once. */
const IDLE_MS = 300;

/** Renews the lease of a budget if something waits for money, or if another process can use what is left over. */
export function createSharedBudget(options: SharedBudgetOptions): SharedBudget {
  const { isReachable, after = afterTimeout } = options;
  const budget = new LeasedBudget({ onChange: consider, isReachable });
  const decideAgain = (): void => budget.decideAll();
  const pauses = {
    trial: new Pause(after, LONGEST_PAUSE_MS.trial, decideAgain),
    call: new Pause(after, LONGEST_PAUSE_MS.call, decideAgain),
  };
  const givingBack = new Timer(after, startRenewal);
  const idling = new Timer(after, startRenewal);
  let underWay: Promise<void> | null = null;
  let isWanted = false;
  let isClosed = false;

  function consider({ waits, isIdle, hasNews }: BudgetActivity): void {
    if (underWay || isClosed) return;
    if (hasNews || [...waits].some((spender) => !pauses[spender].isRunning)) {
      startRenewal();
      return;
    }
    const { hasSurplus } = budget;
    if (isWanted && hasSurplus) givingBack.start(GIVE_BACK_MS);
    else givingBack.stop();
    if (isIdle && (hasSurplus || budget.isUnsettled)) idling.start(IDLE_MS);
    else idling.stop();
  }

  function startRenewal(): void {
    if (!isClosed) underWay ??= renew();
  }

  async function renew(): Promise<void> {
    givingBack.stop();
    idling.stop();
    try {
      const renewed = await options.renewLease(budget.report());
      isWanted = renewed.isWanted;
      const { decided, waits } = budget.accept(renewed);
      for (const spender of decided) pauses[spender].reset();
      for (const spender of waits) pauses[spender].start();
    } catch (error) {
      // Whatever waits has the error. What was spent is reported the next time.
      budget.fail(error);
      for (const pause of Object.values(pauses)) pause.start();
    }
    underWay = null;
    budget.decideAll();
  }

  return {
    admit: (describe, signal) => budget.admit(describe, signal),
    reserve: (kind, signal) => budget.reserve(kind, signal),
    // The lead has set it in the state that all share.
    addEarlier: () => {},
    get refusal() {
      return budget.refusal;
    },
    giveBack() {
      isWanted = true;
      budget.decideAll();
    },
    async [Symbol.asyncDispose]() {
      if (isClosed) return;
      isClosed = true;
      await underWay;
      for (const timer of [givingBack, idling, ...Object.values(pauses)]) timer.stop();
      if (budget.hasSurplus || budget.isUnsettled) budget.accept(await options.renewLease(budget.report()));
    },
  };
}
