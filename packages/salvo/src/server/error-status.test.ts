import { expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../text/errors/error-codes.ts';
import { errorStatus } from './error-status.ts';

test.each<[ErrorCode, number]>([
  ['RUN_UNKNOWN', 404],
  ['TRACE_UNKNOWN', 404],
  ['AT_WORK', 409],
  ['DATABASE_UNREACHABLE', 503],
  ['REQUEST_INVALID', 400],
])('%s is answered with %i', (code, status) => {
  expect(errorStatus(code)).toBe(status);
});

test('a code that says UNKNOWN is not found only if a page or a request of the viewer can name such a thing', () => {
  const others = ERROR_CODES.filter((code) => code.endsWith('_UNKNOWN') && errorStatus(code) !== 404);
  expect(others).toEqual([
    'ADAPTER_UNKNOWN',
    'CHECK_UNKNOWN',
    'DATABASE_UNKNOWN',
    'DOMAIN_UNKNOWN',
    'EDIT_TARGET_UNKNOWN',
    'EVALUATOR_UNKNOWN',
    'FINDINGS_FORMAT_UNKNOWN',
    'IMPORT_FORMAT_UNKNOWN',
    'MODULE_FUNCTION_UNKNOWN',
    'PRICE_UNKNOWN',
    'RED_UNKNOWN',
    'SCANNER_LANGUAGE_UNKNOWN',
    'SHARD_UNKNOWN',
    'STATE_UNKNOWN',
    'TASK_UNKNOWN',
    'TOOLS_UNKNOWN',
  ]);
});
