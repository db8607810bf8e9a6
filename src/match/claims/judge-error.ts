import { SalvoError, type SourceLocation } from '../../text/errors/salvo-error.ts';

export type JudgeErrorCode = 'bad_manifest' | 'bad_findings' | 'bad_option' | 'unknown_format';

/** The manifest, the findings or an option cannot be used. */
export class JudgeError extends SalvoError {
  constructor(code: JudgeErrorCode, message: string, options: { cause?: unknown; location?: SourceLocation } = {}) {
    super(code, message, options);
  }
}
