import { isRecord } from '../../../text/json/is-record.ts';
import { compilePattern } from '../../../text/pattern.ts';
import { childOf, numberOf, textOf } from '../../source/located.ts';
import { yamlValue } from '../../source/yaml-value.ts';
import type { SourceAssertion, WrittenAssertion } from './source-assertion.ts';

type Translate = (assertion: SourceAssertion) => WrittenAssertion;

const LOOKS_STRICT = 'it demands JSON alone; output_json also takes JSON in a code fence';

/** Types that look at the text of the answer. */
export const TEXT_ASSERTIONS: Readonly<Record<string, Translate>> = {
  contains: (assertion) => contains(assertion, true),
  icontains: (assertion) => contains(assertion, false),
  'contains-all': (assertion) => containsAll(assertion, true),
  'icontains-all': (assertion) => containsAll(assertion, false),
  'contains-any': (assertion) => containsAny(assertion, true),
  'icontains-any': (assertion) => containsAny(assertion, false),
  equals(assertion) {
    const type = assertion.isNegated ? 'output_not_equals' : 'output_equals';
    const value = assertion.valueNode?.value;
    return {
      type,
      value: typeof value === 'object' && value !== null ? assertion.data() : assertion.text(),
      case_sensitive: true,
    };
  },
  'starts-with': (assertion) => ({
    type: assertion.isNegated ? 'output_not_starts_with' : 'output_starts_with',
    value: assertion.text(),
    case_sensitive: true,
  }),
  regex,
  'is-json': isJson,
  'contains-json': containsJson,
  'word-count': wordCount,
  'is-refusal': ({ isNegated }) => ({ type: isNegated ? 'is_not_refusal' : 'is_refusal' }),
};

function contains(assertion: SourceAssertion, isCaseSensitive: boolean): WrittenAssertion {
  const type = assertion.isNegated ? 'output_not_contains' : 'output_contains';
  return { type, value: assertion.text(), case_sensitive: isCaseSensitive };
}

/** A list gives partial credit here and none there, so that code is needed where scores count. */
function containsAll(assertion: SourceAssertion, isCaseSensitive: boolean): WrittenAssertion {
  const value = assertion.list();
  if (!assertion.isNegated && !assertion.around.isScored)
    return { type: 'output_contains', value, case_sensitive: isCaseSensitive };
  return listCode(value, { isCaseSensitive, method: 'every', isNegated: assertion.isNegated });
}

function containsAny(assertion: SourceAssertion, isCaseSensitive: boolean): WrittenAssertion {
  const value = assertion.list();
  if (!assertion.isNegated) return { type: 'output_contains_any', value, case_sensitive: isCaseSensitive };
  if (!assertion.around.isScored) return { type: 'output_not_contains', value, case_sensitive: isCaseSensitive };
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
function regex(assertion: SourceAssertion): WrittenAssertion {
  const pattern = assertion.text();
  if (pattern.includes('{{')) {
    return { type: assertion.isNegated ? 'output_not_matches' : 'output_matches', pattern };
  }
  try {
    compilePattern(pattern);
    return { type: assertion.isNegated ? 'output_not_matches' : 'output_matches', pattern };
  } catch {
    const code = `new RegExp(${JSON.stringify(pattern)}).test(output)`;
    return { type: 'javascript', code: assertion.isNegated ? `!${code}` : code };
  }
}

function isJson(assertion: SourceAssertion): WrittenAssertion {
  if (assertion.isNegated) {
    if (assertion.valueNode) throw assertion.gap('not-is-json with a schema is not translated');
    return {
      type: 'javascript',
      code: '(output) => { try { JSON.parse(output); return false } catch { return true } }',
    };
  }
  const schema = schemaOf(assertion);
  if (schema === undefined) {
    return {
      type: 'javascript',
      code: '(output) => { try { JSON.parse(output); return true } catch { return false } }',
    };
  }
  assertion.around.notes.changed(assertion.type, LOOKS_STRICT, assertion.node);
  return { type: 'output_json', schema };
}

/** The first object or list in a text; the text itself if there is none. */
const EXTRACT = `(output) => {
  for (let start = 0; start < output.length; start++) {
    if (!'{['.includes(output[start])) continue;
    for (let end = output.length; end > start; end--) {
      if (!'}]'.includes(output[end - 1])) continue;
      try { return JSON.stringify(JSON.parse(output.slice(start, end))) } catch {}
    }
  }
  return output;
}`;

function containsJson(assertion: SourceAssertion): WrittenAssertion {
  if (assertion.isNegated) throw assertion.gap('not-contains-json is not translated');
  const schema = schemaOf(assertion);
  return { type: 'output_json', ...(schema !== undefined && { schema }), transform: { javascript: EXTRACT } };
}

/** A JSON Schema as a map, or as JSON or YAML in a text. */
function schemaOf(assertion: SourceAssertion): Record<string, unknown> | undefined {
  const node = assertion.valueNode;
  if (!node) return undefined;
  const text = textOf(node);
  const value = text === undefined ? assertion.data() : yamlValue(text);
  if (!isRecord(value)) throw assertion.gap('its schema cannot be read');
  return value;
}

function wordCount(assertion: SourceAssertion): WrittenAssertion {
  const node = assertion.valueNode;
  const count = Number(node?.value);
  const [min, max] = isRecord(node?.value)
    ? [numberOf(childOf(node, 'min')), numberOf(childOf(node, 'max'))]
    : [count, count];
  if ([min, max].every((each) => each === undefined || Number.isNaN(each)))
    throw assertion.gap('it has no number as its value');
  if (assertion.isNegated) {
    const within = [
      ...(min === undefined ? [] : [`words >= ${min}`]),
      ...(max === undefined ? [] : [`words <= ${max}`]),
    ];
    const code = `(output) => { const words = output.trim().split(/\\s+/).filter(Boolean).length; return !(${within.join(' && ')}) }`;
    return { type: 'javascript', code };
  }
  return { type: 'output_length', unit: 'words', ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}
