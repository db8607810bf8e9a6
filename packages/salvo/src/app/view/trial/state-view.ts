import { showValue } from '../../../evaluators/show-value.ts';
import type { Trace } from '../../../trace/trace.ts';

/** What a page shows of the state of a trial. */
export type StateView = NonNullable<ReturnType<typeof stateView>>;

const MOST_CHANGES = 200;
const MOST_CHARACTERS = 500;

/** Null if the trial had no state. */
export function stateView({ state }: Pick<Trace, 'state'>) {
  if (!state) return null;
  const { changes, reported } = state;
  return {
    changes: changes.slice(0, MOST_CHANGES).map((change) => ({
      path: change.path,
      before: shown(change, 'before'),
      after: shown(change, 'after'),
    })),
    changed: changes.length,
    reported: reported ?? null,
  };
}

/** The value as JSON; null if it is missing. Unlike a missing value, a JSON null is shown. */
function shown(change: { before?: unknown; after?: unknown }, key: 'before' | 'after'): string | null {
  if (!Object.hasOwn(change, key)) return null;
  return change[key] === null ? 'null' : showValue(change[key], MOST_CHARACTERS);
}
