import { type ErrorCode, SalvoError, type SourceLocation } from 'salvo/kit/text';

export type JudgeErrorCode = Extract<
  ErrorCode,
  'MANIFEST_INVALID' | 'FINDINGS_INVALID' | 'OPTIONS_INVALID' | 'FINDINGS_FORMAT_UNKNOWN'
>;

/** The manifest, the findings or an option cannot be used. */
export class JudgeError extends SalvoError {
  constructor(code: JudgeErrorCode, message: string, options: { cause?: unknown; location?: SourceLocation } = {}) {
    super(code, message, options);
  }
}
