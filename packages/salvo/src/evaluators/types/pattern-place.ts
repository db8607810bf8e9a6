import type { Pattern } from '../../text/pattern.ts';
import { plainSpelling } from '../../text/words/plain-spelling.ts';
import { showPlace } from '../show-value.ts';

/**
 * Where a pattern that must not match does so: in the text as it is, or as it looks. A no-break space must not hide what
 * is forbidden. Null if it matches neither.
 */
export function patternPlace(pattern: Pattern, text: string): string | null {
  const subject = [text, plainSpelling(text)].find((each) => pattern.test(each));
  if (subject === undefined) return null;
  const [match = { start: 0, end: 0 }] = pattern.matches(subject);
  return showPlace(subject, match);
}

/**
 * Why a pattern that must match does not, if nobody can see the reason; otherwise empty. It is not let through: a pattern
 * such as ^[ -~]*$ may be there to demand plain text.
 */
export function oddSpelling(pattern: Pattern, text: string): string {
  if (!pattern.test(plainSpelling(text))) return '';
  return 'it would match with ordinary spaces and composed letters';
}
