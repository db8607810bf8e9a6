/** Ends a trial from outside: its time is up, the budget is spent, or the user stopped the run. */
export class TrialStopped extends Error {
  readonly reason: 'timeout' | 'budget' | 'interrupted';

  constructor(reason: TrialStopped['reason'], message: string) {
    super(message);
    this.name = 'TrialStopped';
    this.reason = reason;
  }
}
