/** Decides when a budget that is a part of a bank's exchanges with it. */
export interface Branch {
  /** Called after every change: what waits for money that the lease does not have? */
  onChange(state: BranchState): void;
  /** False when the bank was not heard of for so long that it may have given our rights to another process. */
  isHeard(): boolean;
}

/** What may wait for money. */
export type Spender = 'trial' | 'call';

export interface BranchState {
  waits: ReadonlySet<Spender>;
  /** Nothing is under way, and nothing waits. */
  isIdle: boolean;
  /** Something was learned that trials of other processes may wait for. */
  hasNews: boolean;
}

export interface Exchanged {
  /** Those of whom some still have to wait. */
  waits: ReadonlySet<Spender>;
  /** Those of whom some were let through or refused. */
  decided: ReadonlySet<Spender>;
  /** Whether another process waits for money. */
  isWanted: boolean;
}
