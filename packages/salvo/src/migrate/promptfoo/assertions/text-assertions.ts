import { plainAssertion } from '../../../scenario/expected/plain-assertion.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import { childOf, numberOf, textOf } from '../../source/located.ts';
import { yamlValue } from '../../source/yaml-value.ts';
import type { SourceAssertion, WrittenAssertion } from './source-assertion.ts';

type Translate = (assertion: SourceAssertion) => WrittenAssertion;

const LOOKS_STRICT = 'it demands JSON alone; output_json also takes JSON in a code fence';

/** Types that look at the text of the answer. */
export const TEXT_ASSERTIONS: Readonly<Record<string, Translate>> = {
  contains: plain,
  icontains: plain,
  'contains-all': plain,
  'icontains-all': plain,
  'contains-any': plain,
  'icontains-any': plain,
  equals(assertion) {
    const value = assertion.valueNode?.value;
    if (typeof value !== 'object' || value === null) return plain(assertion);
    const type = assertion.isNegated ? 'output_not_equals' : 'output_equals';
    return { type, value: assertion.data(), case_sensitive: true };
  },
  'starts-with': plain,
  regex: plain,
  'is-json': isJson,
  'contains-json': containsJson,
  'word-count': wordCount,
  'is-refusal': plain,
};

function plain(assertion: SourceAssertion): WrittenAssertion {
  const { base, isNegated, around } = assertion;
  const found = plainAssertion({
    ...{ base, isNegated, isScored: around.isScored },
    ...{ text: () => assertion.text(), list: () => assertion.list() },
  });
  if (!found) throw assertion.gap('it is not translated');
  return found;
}

function isJson(assertion: SourceAssertion): WrittenAssertion {
  if (!assertion.valueNode?.value) return plain(assertion);
  if (assertion.isNegated) throw assertion.gap('not-is-json with a schema is not translated');
  const schema = schemaOf(assertion);
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
