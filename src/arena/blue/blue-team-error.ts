import type { ModelUsage } from '../../models/bill.ts';
import { SalvoError } from '../../text/salvo-error.ts';

/** The Blue Team could not look, because its model or a scanner failed. This is not the same as no findings. */
export class BlueTeamError extends SalvoError {
  /** What the answers of its model cost, when a model failed; null for other failures. */
  readonly usage: ModelUsage | null;

  constructor(code: string, message: string, options: { cause?: unknown; usage?: ModelUsage | undefined } = {}) {
    super(code, message, options.cause === undefined ? {} : { cause: options.cause });
    this.usage = options.usage ?? null;
  }
}

/** The team was stopped, so nothing is known about the code. */
export function abortedError(blue: string, signal: AbortSignal): BlueTeamError {
  return new BlueTeamError('BLUE_ABORTED', `${blue} was stopped before it had looked at everything.`, {
    cause: signal.reason,
  });
}
