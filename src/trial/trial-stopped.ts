/** Why a trial was ended from outside: its time was up, the budget is spent, the user had enough. */
export class TrialStopped extends Error {
  readonly reason: 'timeout' | 'budget' | 'interrupted';

  constructor(reason: TrialStopped['reason'], message: string) {
    super(message);
    this.name = 'TrialStopped';
    this.reason = reason;
  }
}
