import type { ModelUsage } from '../../../models/bill.ts';
import { RedTeamError } from '../red-team-error.ts';

/** A model made no game. What its answers cost is known all the same. */
export class RedModelError extends RedTeamError {
  readonly usage: ModelUsage;

  constructor(code: string, message: string, options: { usage: ModelUsage; cause?: unknown }) {
    super(code, message, options.cause === undefined ? {} : { cause: options.cause });
    this.usage = options.usage;
  }
}
