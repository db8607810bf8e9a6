export { type Expectation, HOLDS, type TrialExpectation } from '../testing/expect-trials.ts';
export type { Catch, CatchOptions, MatchersDoor } from '../testing/matchers-door.ts';
export { shareOption } from '../testing/test-options.ts';
export { UnscoredError } from '../testing/unscored-error.ts';
