export type { AssertionsDoor } from '../evaluators/assertions-door.ts';
export { type EvaluationContext, type Evaluator, resolveFile } from '../evaluators/evaluator.ts';
export { shorten } from '../evaluators/show-value.ts';
