import { SalvoError } from '../../text/errors/salvo-error.ts';

/** A request that may cost something, before it is sent. */
export interface PaidCall {
  /** Calls of one kind cost about the same: the model, and what it is asked for. */
  kind: string;
  /** Which request of its conversation it is, from 0: later ones have longer prompts. */
  place: number;
  /** What such a call usually costs; null when that is unknown. */
  estimateUsd: number | null;
  /** The most that it can cost; null when nothing limits it. */
  mostUsd: number | null;
}

/** Pays for calls. */
export interface CallBudget {
  /**
   * Waits until a call may be sent. Rejects with a `BudgetError` when it could exceed the limit, and when `signal` is
   * aborted. `describe` is only asked if there is a limit.
   */
  admit(describe: () => Promise<PaidCall>, signal?: AbortSignal | undefined): Promise<AdmittedCall>;
}

/** A call that may be sent. Exactly one of these has to be called when it ends. They return what is counted for it. */
export interface AdmittedCall {
  /** It was answered; null when the cost is unknown, with the reason. */
  paid(usd: number | null, whyUnknown?: string): number;
  /** There was no answer, but it may have been charged. */
  maybePaid(): number;
  /** It was never sent, or the provider refused it. */
  notPaid(): void;
}

/**
 * Keeps what is spent below a limit, on two levels. A call holds back the most that it can cost while it is under way;
 * see docs/decisions/0023. A trial or a game reserves what the most expensive one before it cost, so that none is
 * started that could not be finished.
 */
export interface Budget extends CallBudget {
  /**
   * Waits until a trial of this kind may start; null when it could exceed the limit, and when `signal` is aborted. A
   * kind is a scenario, say.
   */
  reserve(kind: number, signal?: AbortSignal | undefined): Promise<Reservation | null>;
  /** Adds what was spent before, when a run or an experiment is resumed. */
  addEarlier(earlier: EarlierSpending): void;
  /** Why trials or calls were refused; null as long as none was. */
  readonly refusal: string | null;
}

/** One trial's share of the budget. Its calls are paid for from it first. */
export interface Reservation extends CallBudget {
  /** Whether one of its calls was refused, so that the trial is not complete. */
  readonly wasRefused: boolean;
  /** The trial is over. `usd` is what it cost, when that is known from elsewhere than its calls. */
  release(usd?: number | null): void;
}

/** What a run or an experiment that is resumed has spent before. */
export interface EarlierSpending {
  spentUsd: number;
  /** The most that a trial has cost, by kind. */
  highest?: ReadonlyMap<number, number> | undefined;
}

/** A call that was not sent, because of the budget. */
export class BudgetError extends SalvoError {
  constructor(message: string) {
    super('BUDGET_SPENT', message);
  }
}

/** A call that costs nothing. */
export const UNPAID: AdmittedCall = { paid: () => 0, maybePaid: () => 0, notPaid: () => {} };

const admitAtOnce: CallBudget['admit'] = async () => UNPAID;

/** Whether nobody ever waits for this budget. */
export function isUnlimited({ admit }: CallBudget): boolean {
  return admit === admitAtOnce;
}

const UNLIMITED_SHARE: Reservation = { admit: admitAtOnce, release: () => {}, wasRefused: false };

/** For callers that have no limit to keep. */
export const NO_LIMIT: Budget = {
  admit: admitAtOnce,
  reserve: async () => UNLIMITED_SHARE,
  addEarlier: () => {},
  refusal: null,
};
