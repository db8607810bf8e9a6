import { BlueTeamError } from './blue-team-error.ts';

/** Somebody stopped it: nothing is known about the code. */
export function abortedError(blue: string, signal: AbortSignal): BlueTeamError {
  return new BlueTeamError('BLUE_ABORTED', `${blue} was stopped before it had looked at everything.`, {
    cause: signal.reason,
  });
}
