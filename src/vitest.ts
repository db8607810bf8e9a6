export type { Testable } from './testing/subject.ts';
export type { EvaluateOptions, MatcherOptions } from './testing/test-options.ts';
export { UnscoredError } from './testing/unscored-error.ts';
export { evaluate } from './testing/vitest.ts';
