export type { ScenarioRun } from './app/runs/run-scenario.ts';
export type { SalvoMatchers } from './testing/matchers.ts';
export type { Testable } from './testing/subject.ts';
export type { EvaluateOptions, MatcherOptions } from './testing/test-options.ts';
export { UnscoredError } from './testing/unscored-error.ts';
export { evaluate } from './testing/vitest.ts';
export type { ErrorCode } from './text/errors/error-codes.ts';
export { SalvoError, type SourceLocation } from './text/errors/salvo-error.ts';
