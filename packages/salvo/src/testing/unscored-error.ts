import { SalvoError } from '../text/errors/salvo-error.ts';

/** Whether the expectation holds is unknown: a model did not answer, trials are missing, nothing was checked. */
export class UnscoredError extends SalvoError {
  constructor(reason: string) {
    super('EXPECTATION_UNSCORED', `Could not be scored: ${reason}`, { outcome: 'unscored' });
  }
}
