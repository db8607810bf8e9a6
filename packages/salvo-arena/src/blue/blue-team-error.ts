import type { Cost } from 'salvo/kit/stats';
import { type ErrorCode, SalvoError } from 'salvo/kit/text';
import type { NotCovered } from './blue-team.ts';

/** The Blue Team could not look, because its model or a scanner failed. This is not the same as no findings. */
export class BlueTeamError extends SalvoError {
  /** What the answers of its model cost; undefined when no model failed. */
  readonly cost: Cost | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; cost?: Cost | undefined; outcome?: SalvoError['outcome'] } = {},
  ) {
    const { cause, outcome } = options;
    super(code, message, { ...(cause === undefined ? {} : { cause }), ...(outcome === undefined ? {} : { outcome }) });
    this.cost = options.cost;
  }
}

/** The team was stopped, so nothing is known about the code. */
export function abortedError(blue: string, signal: AbortSignal): BlueTeamError {
  return new BlueTeamError('BLUE_ABORTED', `${blue} was stopped before it had looked at everything.`, {
    cause: signal.reason,
  });
}

/** Nothing of the code is of a language or cloud that the team can look at: the result is unknown, not "no flaws". */
export class NotCoveredError extends BlueTeamError {
  readonly notCovered: readonly NotCovered[];

  constructor(message: string, notCovered: readonly NotCovered[] = []) {
    super('CODE_NOT_COVERED', message, { outcome: 'unscored' });
    this.notCovered = notCovered;
  }
}
