import { type Filter, parseFilter } from './filter-expression.ts';

export const RUN_FIELDS = [
  ...(['run', 'verdict', 'status', 'scenario', 'file', 'model', 'adapter'] as const),
  ...(['pass_rate', 'score', 'trials', 'cost', 'duration', 'date', 'age'] as const),
];
export type RunField = (typeof RUN_FIELDS)[number];

/** A filter of the list of runs. The page checks it, too, before it asks. */
export function parseRunFilter(text: string): Filter {
  return parseFilter(text, RUN_FIELDS);
}
