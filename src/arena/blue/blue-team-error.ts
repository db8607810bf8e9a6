import type { ModelUsage } from '../../models/bill.ts';
import { SalvoError } from '../../text/salvo-error.ts';

/** The Blue Team could not look, because its model or a scanner failed. This is not the same as no findings. */
export class BlueTeamError extends SalvoError {}

/** A model of the Blue Team failed. What its answers cost is known all the same. */
export class BlueModelError extends BlueTeamError {
  readonly usage: ModelUsage;

  constructor(failure: BlueTeamError, usage: ModelUsage) {
    super(failure.code, failure.message, { cause: failure.cause });
    this.usage = usage;
  }
}

/** The team was stopped, so nothing is known about the code. */
export function abortedError(blue: string, signal: AbortSignal): BlueTeamError {
  return new BlueTeamError('BLUE_ABORTED', `${blue} was stopped before it had looked at everything.`, {
    cause: signal.reason,
  });
}
