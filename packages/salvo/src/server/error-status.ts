import type { ErrorCode } from '../text/errors/error-codes.ts';

/** The HTTP status of every error that is not a wrong request, which is 400. */
const STATUS = {
  // Nothing has the name or the address that was asked for.
  BLUE_UNKNOWN: 404,
  CRITERION_UNKNOWN: 404,
  EXPERIMENTS_MISSING: 404,
  EXPERIMENT_UNKNOWN: 404,
  GAME_UNKNOWN: 404,
  GIT_FILE_UNKNOWN: 404,
  JUDGE_UNKNOWN: 404,
  MESSAGE_UNKNOWN: 404,
  MODEL_UNKNOWN: 404,
  RUNS_MISSING: 404,
  RUN_UNKNOWN: 404,
  SCENARIO_UNKNOWN: 404,
  TARGET_UNKNOWN: 404,
  TRACES_MISSING: 404,
  TRACE_UNKNOWN: 404,
  TRIAL_UNKNOWN: 404,
  // The request is right, and what it is about is not in the state for it.
  JOB_LOST: 409,
  LEASE_LOST: 409,
  AT_WORK: 409,
  RUN_EXISTS: 409,
  RUN_IS_REEVAL: 409,
  RUN_IS_SHARD: 409,
  RUN_IS_TEST: 409,
  RUN_NOT_AT_WORK: 409,
  RUN_NOT_RESUMED: 409,
  // The store does not answer at present.
  DATABASE_BUSY: 503,
  DATABASE_FULL: 503,
  DATABASE_UNREACHABLE: 503,
  STORE_BUSY: 503,
  STORE_FULL: 503,
  STORE_IO: 503,
} as const satisfies Partial<Record<ErrorCode, number>>;

type ErrorStatus = 400 | (typeof STATUS)[keyof typeof STATUS];

/** The HTTP status of the answer to a request that failed with this code. */
export function errorStatus(code: ErrorCode): ErrorStatus {
  const statuses: Partial<Record<ErrorCode, ErrorStatus>> = STATUS;
  return statuses[code] ?? 400;
}
