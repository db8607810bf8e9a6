import { isRecord } from '../../text/json/is-record.ts';
import {
  expandJudgeSentence,
  expandOperator,
  isJudgeSentence,
  isShorthand,
} from '../checks/assertion/expand-shorthand.ts';
import { type WrittenPlace, withRebasedPaths } from '../checks/check-assertion-fields.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Assertion } from '../schema/assertion-schema.ts';
import { anyAssertionSchema } from '../schema/assertion-types.ts';

/**
 * An assertion with templates in the form in which it is stored: without shorthand, paths relative to the scenario. If a
 * row was rendered, `checked` is what it gave: a judge has the criteria of its rubric file by then.
 */
export function templateAssertion(
  assertion: unknown,
  { around, path, checked }: { around: WrittenPlace; path: Path; checked: Assertion | undefined },
): Assertion {
  const raw = isRecord(assertion) ? assertion : {};
  const ofSentence = isJudgeSentence(raw) ? expandJudgeSentence(raw) : raw;
  const long = isShorthand(raw) ? expandOperator(raw) : ofSentence;
  const criteria = checked && raw.rubric !== undefined ? { criteria: Reflect.get(checked, 'criteria') } : {};
  const common = checked && { weight: checked.weight, required: checked.required };
  return anyAssertionSchema.parse({ ...common, ...withRebasedPaths({ assertion: long, around, path }), ...criteria });
}
