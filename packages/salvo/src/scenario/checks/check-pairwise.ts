import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';

/** By what two answers are compared, if nothing else is said. */
export const PAIR_CRITERIA = [
  {
    name: 'better',
    description: 'Does what the task asks for: correct, complete, and without anything false or needless.',
    weight: 1,
  },
];

/** Keys of a judge that have no meaning if two answers are compared. */
const NOT_FOR_PAIRS: Readonly<Record<string, string>> = {
  threshold: '"threshold" is for scores. What passes is said by "require": win or tie',
  early_stop: '"early_stop" cannot be used with "against": both orders of each vote are asked for at once',
  aggregation: '"aggregation" is for scores. With "against", the preference of most votes counts',
};

/** Whether a judge compares two answers. Reports what cannot be used together. */
export function checkPairwise(report: Report, assertion: Record<string, unknown>, path: Path): boolean {
  const { against, reference, turn, when_too_long } = assertion;
  const conflict = (key: string, message: string, hint?: string) =>
    report({ code: 'conflicting-keys', message, hint, path: [...path, key], at: 'key' });
  if (against === undefined) {
    for (const key of ['reference', 'require']) {
      if (assertion[key] === undefined) continue;
      conflict(
        key,
        `"${key}" needs "against"`,
        'write against: reference, or against: RUN; criteria can have a reference, too',
      );
    }
    return false;
  }
  if (against === 'reference' && reference === undefined) {
    const message = '"against: reference" needs the answer to compare with: "reference" is missing';
    report({ code: 'missing-key', message, hint: 'such as reference: "{{answer}}"', path, missing: ['reference'] });
  }
  if (against !== 'reference' && reference !== undefined) {
    conflict(
      'reference',
      '"reference" is not used: the answer is compared with that of a run',
      'write against: reference',
    );
  }
  if (typeof against === 'string' && /[/\\]|\.json$|^git:/.test(against)) {
    report({
      code: 'invalid-value',
      message: 'a baseline file has no conversations, so there are no answers to compare with',
      hint: 'name a stored run: its id, latest, or latest~1; `salvo report --history` lists them',
      path: [...path, 'against'],
    });
  }
  for (const [key, message] of Object.entries(NOT_FOR_PAIRS)) {
    if (assertion[key] !== undefined && assertion[key] !== false) conflict(key, message);
  }
  if (turn === 'any' || turn === 'every') {
    conflict('turn', `"turn: ${turn}" cannot be used with "against"`, 'compare one answer: a number, or last');
  }
  if (when_too_long === 'parts') {
    conflict(
      'when_too_long',
      'two answers cannot be compared in parts',
      'write unscored, which is the default here, or cut',
    );
  }
  return true;
}
