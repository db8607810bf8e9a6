import { RedTeamError } from '../red-team-error.ts';
import type { Figures } from './bill.ts';

/** A model made no game. What its answers cost is known all the same. */
export class RedModelError extends RedTeamError {
  readonly figures: Figures;

  constructor(code: string, message: string, options: { figures: Figures; cause?: unknown }) {
    super(code, message, options.cause === undefined ? {} : { cause: options.cause });
    this.figures = options.figures;
  }
}
