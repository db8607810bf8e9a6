import { type Filter, parseFilter } from './filter-expression.ts';

const RUN_FIELDS = [
  ...(['run', 'verdict', 'status', 'scenario', 'model', 'adapter'] as const),
  ...(['pass_rate', 'trials', 'cost', 'duration', 'date'] as const),
];
export type RunField = (typeof RUN_FIELDS)[number];

/** A filter of the list of runs. The page checks it, too, before it asks. */
export function parseRunFilter(text: string): Filter {
  return parseFilter(text, RUN_FIELDS);
}
