import { type BudgetActivity, type BudgetReport, LeasedBudget, type RenewedLease } from 'salvo/kit/models';
import { type After, afterTimeout, Pause, Timer } from './timers.ts';

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

/**
 * A process's part of a budget that several keep together. It renews its lease if something waits for money, or if another
 * process can use what is left over.
 */
export class SharedBudget extends LeasedBudget implements AsyncDisposable {
  readonly #options: SharedBudgetOptions;
  readonly #pauses: Record<'trial' | 'call', Pause>;
  readonly #givingBack: Timer;
  readonly #idling: Timer;
  #underWay: Promise<void> | null = null;
  #isWanted = false;
  #isClosed = false;

  constructor(options: SharedBudgetOptions) {
    super();
    const { after = afterTimeout } = options;
    const pauseOf = (longestMs: number): Pause => new Pause(after, longestMs, () => this.decideAll());
    this.#options = options;
    this.#pauses = { trial: pauseOf(LONGEST_PAUSE_MS.trial), call: pauseOf(LONGEST_PAUSE_MS.call) };
    this.#givingBack = new Timer(after, () => this.#startRenewal());
    this.#idling = new Timer(after, () => this.#startRenewal());
  }

  /** The coordinator has added it to the state that all share. */
  addEarlier(): void {}

  /** Another process waits for money: whatever is left over is given back. */
  giveBack(): void {
    this.#isWanted = true;
    this.decideAll();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#underWay;
    for (const timer of [this.#givingBack, this.#idling, ...Object.values(this.#pauses)]) timer.stop();
    if (this.hasSurplus || this.isUnsettled) this.accept(await this.#options.renewLease(this.report()));
  }

  protected onChange({ waits, isIdle, hasNews }: BudgetActivity): void {
    if (this.#underWay || this.#isClosed) return;
    if (hasNews || [...waits].some((spender) => !this.#pauses[spender].isRunning)) {
      this.#startRenewal();
      return;
    }
    const { hasSurplus } = this;
    if (this.#isWanted && hasSurplus) this.#givingBack.start(GIVE_BACK_MS);
    else this.#givingBack.stop();
    if (isIdle && (hasSurplus || this.isUnsettled)) this.#idling.start(IDLE_MS);
    else this.#idling.stop();
  }

  protected isReachable(): boolean {
    return this.#options.isReachable();
  }

  #startRenewal(): void {
    if (!this.#isClosed) this.#underWay ??= this.#renew();
  }

  async #renew(): Promise<void> {
    this.#givingBack.stop();
    this.#idling.stop();
    try {
      const renewed = await this.#options.renewLease(this.report());
      this.#isWanted = renewed.isWanted;
      const { decided, waits } = this.accept(renewed);
      for (const spender of decided) this.#pauses[spender].reset();
      for (const spender of waits) this.#pauses[spender].start();
    } catch (error) {
      // Whatever waits has the error. What was spent is reported the next time.
      this.fail(error);
      for (const pause of Object.values(this.#pauses)) pause.start();
    }
    this.#underWay = null;
    this.decideAll();
  }
}
