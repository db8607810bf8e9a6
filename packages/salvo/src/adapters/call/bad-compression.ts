import { errorCode } from '../../text/errors/salvo-error.ts';

/** Whether a body could not be decompressed. Node reports that like a broken connection, but a retry would not help. */
export function isBadCompression(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; cause = cause.cause, depth += 1) {
    const code = errorCode(cause) ?? '';
    if (/^Z_|^ZSTD_|^ERR__ERROR_FORMAT/.test(code)) return true;
  }
  return false;
}
