import { compilePattern } from '../../text/pattern.ts';

/** An assertion as a scenario has it. */
type WrittenAssertion = Record<string, unknown>;

/** An assertion of promptfoo about the text of an answer. */
export interface PlainAssertion {
  /** Its type without `not-`. */
  base: string;
  isNegated: boolean;
  /** Whether its share of a score counts, and not only whether it passed. */
  isScored: boolean;
  text(): string;
  list(): string[];
}

const TYPES: Readonly<Record<string, (assertion: PlainAssertion) => WrittenAssertion>> = {
  contains: (assertion) => contains(assertion, true),
  icontains: (assertion) => contains(assertion, false),
  'contains-all': (assertion) => containsAll(assertion, true),
  'icontains-all': (assertion) => containsAll(assertion, false),
  'contains-any': (assertion) => containsAny(assertion, true),
  'icontains-any': (assertion) => containsAny(assertion, false),
  equals: ({ isNegated, text }) => ({
    type: isNegated ? 'output_not_equals' : 'output_equals',
    value: text(),
    case_sensitive: true,
  }),
  'starts-with': ({ isNegated, text }) => ({
    type: isNegated ? 'output_not_starts_with' : 'output_starts_with',
    value: text(),
    case_sensitive: true,
  }),
  regex,
  'is-json': ({ isNegated }) => ({
    type: 'javascript',
    code: `(output) => { try { JSON.parse(output); return ${!isNegated} } catch { return ${isNegated} } }`,
  }),
  'is-refusal': ({ isNegated }) => ({ type: isNegated ? 'is_not_refusal' : 'is_refusal' }),
};

/** What means the same in a scenario; undefined for a type that is not about a text alone. */
export function plainAssertion(assertion: PlainAssertion): WrittenAssertion | undefined {
  return Object.hasOwn(TYPES, assertion.base) ? TYPES[assertion.base]?.(assertion) : undefined;
}

function contains({ isNegated, text }: PlainAssertion, isCaseSensitive: boolean): WrittenAssertion {
  const type = isNegated ? 'output_not_contains' : 'output_contains';
  return { type, value: text(), case_sensitive: isCaseSensitive };
}

/** A list gives partial credit here and none there, so that code is needed where scores count. */
function containsAll({ isNegated, isScored, list }: PlainAssertion, isCaseSensitive: boolean): WrittenAssertion {
  const value = list();
  if (!isNegated && !isScored) return { type: 'output_contains', value, case_sensitive: isCaseSensitive };
  return listCode(value, { isCaseSensitive, method: 'every', isNegated });
}

function containsAny({ isNegated, isScored, list }: PlainAssertion, isCaseSensitive: boolean): WrittenAssertion {
  const value = list();
  if (!isNegated) return { type: 'output_contains_any', value, case_sensitive: isCaseSensitive };
  if (!isScored) return { type: 'output_not_contains', value, case_sensitive: isCaseSensitive };
  return listCode(value, { isCaseSensitive, method: 'some', isNegated: true });
}

function listCode(
  value: readonly string[],
  { isCaseSensitive, method, isNegated }: { isCaseSensitive: boolean; method: 'every' | 'some'; isNegated: boolean },
): WrittenAssertion {
  const lower = isCaseSensitive ? '' : '.toLowerCase()';
  const code = `${JSON.stringify(value)}.${method}((text) => output${lower}.includes(text${lower}))`;
  return { type: 'javascript', code: isNegated ? `!${code}` : code };
}

/** Patterns that RE2 does not have are tested by code. */
function regex({ isNegated, text }: PlainAssertion): WrittenAssertion {
  const pattern = text();
  const found = { type: isNegated ? 'output_not_matches' : 'output_matches', pattern };
  if (pattern.includes('{{')) return found;
  try {
    compilePattern(pattern);
    return found;
  } catch {
    const code = `new RegExp(${JSON.stringify(pattern)}).test(output)`;
    return { type: 'javascript', code: isNegated ? `!${code}` : code };
  }
}
