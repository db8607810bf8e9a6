import type { ErrorCode } from '../text/errors/error-codes.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';

/** The workspace or a service of a trial could not be made ready, or is gone: the trial is not scored. */
export class EnvironmentError extends SalvoError {
  constructor(
    code: Extract<ErrorCode, 'SERVICE_NOT_READY' | 'SERVICE_ENDED' | 'WORKSPACE_NOT_COPIED' | 'FILE_CHANGED'>,
    message: string,
    options?: ErrorOptions,
  ) {
    super(code, message, options);
  }
}
