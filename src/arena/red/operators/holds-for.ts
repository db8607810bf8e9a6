import { attributePath } from './attribute-path.ts';
import { type EvaluatedHolder, slotsAt } from './evaluated-holder.ts';
import type { Condition } from './operator-spec.ts';
import { askValue } from './value-test.ts';

/** Whether an operator looks at this resource at all. */
export function holdsFor(holder: EvaluatedHolder, conditions: readonly Condition[]): boolean {
  return conditions.every(({ path, test, all }) => {
    const answers = slotsAt(holder, attributePath(path)).map(({ found }) => found && askValue(test, found.value));
    return all ? answers.every((answer) => answer === 'yes') : answers.includes('yes');
  });
}
