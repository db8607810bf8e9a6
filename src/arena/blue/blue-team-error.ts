import { SalvoError } from '../../text/salvo-error.ts';

/** The Blue Team could not look: its model or a scanner failed. Never to be read as "nothing found". */
export class BlueTeamError extends SalvoError {}

/** Somebody stopped it: nothing is known about the code. */
export function abortedError(blue: string, signal: AbortSignal): BlueTeamError {
  return new BlueTeamError('BLUE_ABORTED', `${blue} was stopped before it had looked at everything.`, {
    cause: signal.reason,
  });
}
