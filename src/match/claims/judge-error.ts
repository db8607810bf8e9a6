import { SalvoError, type SourceLocation } from '../../text/salvo-error.ts';

export type JudgeErrorCode = 'bad_manifest' | 'bad_findings' | 'bad_option' | 'unknown_format';

/** What was given cannot be scored. */
export class JudgeError extends SalvoError {
  constructor(code: JudgeErrorCode, message: string, options: { cause?: unknown; location?: SourceLocation } = {}) {
    super(code, message, options);
  }
}
