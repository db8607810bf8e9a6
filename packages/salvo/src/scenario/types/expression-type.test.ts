import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { tried } from '../../../../../test/thorough.ts';
import { traceArbitrary } from '../../../../../test/trace-arbitrary.ts';
import { compileExpression, ExpressionError, parseExpression } from '../../text/json/expression.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { assertionDocument, assertionDocumentSchema } from '../schema/assertion-document.ts';
import { typeOfExpression } from './expression-type.ts';
import { FUNCTION_TYPES } from './function-types.ts';
import { typeOfSchema } from './schema-type.ts';
import { ANYTHING, describeType, kindsOf, type ValueType } from './value-type.ts';

const document = { type: typeOfSchema(assertionDocumentSchema), name: '' };
const typed = (expression: string) => typeOfExpression(parseExpression(expression), document);

describe('the type of an expression', () => {
  it.each([
    ['response.content', 'missing or a text'],
    ['metadata.turn_count', 'a number'],
    ['turns', 'a list'],
    ['turns[0]', 'missing or a map'],
    ['turns[0].role', 'missing or one of "system", "user", "assistant" or "tool_result"'],
    ['turns[*].content', 'a list'],
    ["turns[?role=='assistant'] | [1].content", 'missing or a text'],
    ["length(turns[?role=='assistant'])", 'a number'],
    ['tool_calls[0].arguments.anything.at[3].all', 'any value'],
    ["tool_calls[?name=='issue_refund'] | length(@)", 'a number'],
    ["contains(response.content, 'x')", 'missing or true or false'],
    ['tool_calls[*].[name, turn]', 'a list'],
    ['tool_calls[].{a: name, b: arguments.id} | [0].a', 'missing or a text'],
    ['max_by(tool_calls, &turn).name', 'missing or a text'],
    ['sort_by(tool_calls, &turn)[-1].result', 'missing or a text'],
    ['map(&name, tool_calls)', 'a list'],
    ['sum(tool_calls[*].turn)', 'a number'],
    ["join(', ', tool_calls[*].name)", 'a text'],
    ['keys(tool_calls[0].arguments)', 'missing or a list'],
    ['metadata.input_tokens + metadata.output_tokens', 'missing or a number'],
    ["response.content || 'none'", 'a text'],
    ['!tool_calls', 'true or false'],
    ['let $first = turns[0] in $first.content', 'missing or a text'],
    ['turns[].tool_calls[].arguments', 'a list'],
    ['turns[-1:].content | [0]', 'missing or a text'],
    ['$.metadata.cost_usd', 'missing or a number'],
    ['not_null(response.content, metadata.model)', 'a text'],
    ["starts_with(response.finish_reason, 's')", 'true or false'],
    ["metadata.cost_usd > `1` ? 'a' : 'b'", 'one of "a" or "b"'],
  ])('%s is %s', (expression, expected) => {
    const { type, problems } = typed(expression);
    expect(problems).toEqual([]);
    const missing = type !== ANYTHING && type.missing ? 'missing or ' : '';
    expect(`${missing}${describeType(type)}`).toBe(expected);
  });

  it.each([
    [
      'respnse.content',
      0,
      'there is no "respnse"',
      'did you mean "response"? there are: response, turns, tool_calls, metadata',
    ],
    [
      'response.contnt',
      9,
      'response has no field "contnt"',
      'did you mean "content"? there are: content, finish_reason',
    ],
    [
      'turn_count',
      0,
      'there is no "turn_count"',
      'did you mean "metadata.turn_count"? there are: response, turns, tool_calls, metadata',
    ],
    ['output', 0, 'there is no "output"', 'did you mean "response"? there are: response, turns, tool_calls, metadata'],
    [
      'response.content.total',
      17,
      'response.content is a text, so it has no field "total"',
      'a text is not read as JSON; output_json checks an answer that is JSON',
    ],
    [
      'tool_calls[?turn > `1`][0].name',
      undefined,
      '[0] needs a list, and tool_calls[?...] is a map',
      'to take one entry of the list, use a pipe: | [0]',
    ],
    ['tool_cals', 0, 'there is no "tool_cals"', undefined],
    [
      'turns.content',
      6,
      'turns is a list, so it has no field "content"',
      'turns[0].content is of its first entry, turns[*].content of all',
    ],
    ['metadata[0]', 0, '[0] needs a list, and metadata is a map', undefined],
    ['metadata[*].model', 0, '[*] or [?...] needs a list, and metadata is a map', undefined],
    ["turns[?rol=='assistant']", 7, 'turns[?...] has no field "rol"', undefined],
    [
      "turns[?role=='asistant'].content",
      7,
      `== can never be true here: turns[?...].role is one of "system", "user", "assistant" or "tool_result", never 'asistant'`,
      undefined,
    ],
    [
      'turns[?role=="user"]',
      13,
      'turns[?...] has no field "user"',
      "a text is in single quotes: 'user'; double quotes name a field",
    ],
    [
      'tool_calls[?is_error==true]',
      22,
      'tool_calls[?...] has no field "true"',
      'write `true` in backticks; without, it names a field',
    ],
    [
      "tool_calls[?turn=='1']",
      12,
      "== can never be true here: tool_calls[?...].turn is a number, never '1'",
      undefined,
    ],
    ["tool_calls[?turn!='1']", 12, "!= is always true here: tool_calls[?...].turn is a number, never '1'", undefined],
    [
      'tool_calls[?name > `1`]',
      12,
      'only numbers can be compared with < and >, and tool_calls[?...].name is a text',
      undefined,
    ],
    [
      'length(metadata.turn_count)',
      7,
      'length() needs a text, a list or a map, and metadata.turn_count is a number',
      undefined,
    ],
    ['length()', 0, 'length() takes 1 argument, not 0', undefined],
    ['contains(response.content)', 0, 'contains() takes 2 arguments, not 1', undefined],
    [
      "contains(tool_calls, 'refund')",
      0,
      `contains() can never be true here: the entries of tool_calls are a map, and 'refund' is "refund"`,
      undefined,
    ],
    [
      'sum(tool_calls[*].name)',
      4,
      'sum() needs a list of numbers, and tool_calls[*].name is a list in which each entry is a text',
      undefined,
    ],
    ['max_by(tool_calls, turn)', 19, 'max_by() needs an expression here, written with an ampersand', 'such as &name'],
    ['max_by(tool_calls, &trn)', 20, 'tool_calls[*] has no field "trn"', undefined],
    [
      'sort_by(turns, &tool_calls)',
      16,
      'sort_by() needs a number or a text in each entry, and turns[*].tool_calls is a list',
      undefined,
    ],
    ['turns[0].{a: rol}', 13, 'turns[0] has no field "rol"', undefined],
    ['{turns: turns, x: trns}', 18, 'there is no "trns"', undefined],
    ['let $x = turns in $y', undefined, 'there is no variable $y', undefined],
    ['response.content - `1`', 0, 'only numbers can be calculated with, and response.content is a text', undefined],
  ])('%s is refused at %s: %s', (expression, offset, message, hint) => {
    const { problems } = typed(expression);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ offset, message });
    if (hint !== undefined) expect(problems[0]?.hint).toBe(hint);
  });

  it('does not fail on an expression that is nested as deeply as the library allows', () => {
    expect(typed(`turns${'.a'.repeat(1900)}`).problems.length).toBeLessThanOrEqual(1);
    expect(typed(`${'!'.repeat(900)}turns`).problems).toEqual([]);
  });
});

test('no expression that can be compiled makes the check fail', () => {
  const pieces = [
    'a',
    'turns',
    'content',
    '.',
    '[',
    ']',
    '[?',
    '(',
    ')',
    '`1`',
    "'x'",
    '|',
    '||',
    '==',
    '&',
    '*',
    '@',
    '$',
  ];
  const piece = fc.constantFrom(
    ...pieces,
    'length(',
    'sort_by(',
    ', ',
    '{a: ',
    '}',
    ':',
    '1',
    'let $a = ',
    ' in ',
    '$a',
    '!',
    '-',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (chosen) => {
      const text = chosen.join('');
      fc.pre(isExpression(text));
      expect(Array.isArray(typed(text).problems)).toBe(true);
    }),
    { numRuns: tried(600), maxSkipsPerRun: 1000 },
  );
});

test('the types of functions are those of the library', async () => {
  const { getRegisteredFunctions } = await import('@jmespath-community/jmespath');
  expect([...FUNCTION_TYPES.keys()].sort()).toEqual(getRegisteredFunctions().sort());
});

test('only the arguments of tools and the state of providers are free-form', () => {
  const paths: string[] = [];
  collectFree(document.type, '', paths);
  expect([...new Set(paths)]).toEqual([
    'turns[].tool_calls[].arguments.*',
    'turns[].provider_state',
    'tool_calls[].arguments.*',
  ]);
});

test('every trace gives a document of the type', () => {
  fc.assert(
    fc.property(traceArbitrary, (trace) => {
      const value = assertionDocument(trace);
      expect(assertionDocumentSchema.strict().parse(value)).toEqual(value);
      expect(admits(document.type, value)).toBe(true);
    }),
  );
});

const names = [
  'response',
  'content',
  'turns',
  'role',
  'tool_calls',
  'name',
  'arguments',
  'metadata',
  'cost_usd',
  'turn',
];
const field = fc.constantFrom(...names, 'is_error', 'result', 'contnt', 'model', 'id');
const path = fc
  .array(fc.oneof(field, fc.constantFrom('[0]', '[*]', '[-1]', '[]')), { minLength: 1, maxLength: 5 })
  .map((steps) => steps.join('.').replaceAll('.[', '['))
  .filter((steps) => !steps.startsWith('['));
const literal = fc.constantFrom("'user'", "'refund'", '`1`', '`null`', '`true`', '`[]`', '`{"a": 1}`');

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    path,
    path,
    literal,
    fc
      .tuple(tie('expression'), fc.constantFrom('==', '!=', '>', '||', '&&', '|', '+'), tie('expression'))
      .map((parts) => parts.join(' ')),
    fc.tuple(path, tie('expression'), path).map(([a, condition, b]) => `${a}[?${condition}].${b}`),
    fc.tuple(path, tie('expression')).map(([a, b]) => `${a}.[${b}, @]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{a: ${a}, b: ${b}}`),
    fc
      .tuple(path, fc.constantFrom('[0:2]', '[::-1]', '[1:].name', '.*'), fc.constantFrom('', '[0]'))
      .map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom(...FUNCTION_TYPES.keys()), tie('expression')).map(([name, a]) => `${name}(${a})`),
    fc
      .tuple(
        fc.constantFrom('contains', 'join', 'merge', 'not_null', 'zip', 'split'),
        tie('expression'),
        tie('expression'),
      )
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc
      .tuple(fc.constantFrom('max_by', 'min_by', 'sort_by', 'group_by'), path, path)
      .map(([name, a, b]) => `${name}(${a}, &${b})`),
    fc.tuple(path, path).map(([a, b]) => `map(&${a}, ${b})`),
    fc.tuple(tie('expression'), path, path).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
    tie('expression').map((inner) => `!(${inner})`),
  ),
}));

/** Some of the generated texts are not JMESPath: `a | b == c` inside brackets and the like. */
function isExpression(text: string): boolean {
  try {
    parseExpression(text);
    return true;
  } catch {
    return false;
  }
}

test('whatever an accepted expression finds in a trace is of its type', () => {
  let accepted = 0;
  fc.assert(
    fc.property(expression, fc.array(traceArbitrary, { minLength: 1, maxLength: 4 }), (text, traces) => {
      fc.pre(isExpression(text));
      const { type, problems } = typed(text);
      fc.pre(problems.length === 0);
      accepted += 1;
      for (const trace of traces) {
        const found = resultOf(text, assertionDocument(trace));
        if (found === FAILED) continue;
        if (!admits(type, found)) throw new Error(`${text} found ${JSON.stringify(found)}, not ${describeType(type)}`);
      }
    }),
    { numRuns: tried(600), maxSkipsPerRun: 1000 },
  );
  expect(accepted).toBeGreaterThanOrEqual(tried(600));
});

test('a path that always has a value has one in every trace, and an unknown path has none in any', () => {
  const seen = { always: 0, unknown: 0 };
  fc.assert(
    fc.property(path, fc.array(traceArbitrary, { minLength: 1, maxLength: 5 }), (text, traces) => {
      const { type, problems } = typed(text);
      const always = problems.length === 0 && type !== ANYTHING && !type.missing;
      // A projection gives an empty list where the field inside is unknown.
      const unknown = problems.length > 0 && !/\[(?:\*|)\]/.test(text);
      fc.pre(always || unknown);
      seen[always ? 'always' : 'unknown'] += 1;
      for (const trace of traces) {
        const found = compileExpression(text)(assertionDocument(trace));
        if (always) expect(found).not.toBeNull();
        else expect(found).toBeNull();
      }
    }),
    { numRuns: tried(1000) },
  );
  expect(Math.min(seen.always, seen.unknown)).toBeGreaterThan(10);
});

const FAILED = Symbol('failed');

/** An expression that fails on a document leaves the assertion unscored, so its type does not matter. */
function resultOf(text: string, data: unknown): unknown {
  try {
    return compileExpression(text)(data);
  } catch (error) {
    if (error instanceof ExpressionError) return FAILED;
    throw error;
  }
}

/** Whether a value is of a type. */
function admits(type: ValueType, value: unknown): boolean {
  if (type === ANYTHING) return true;
  if (value === null || value === undefined) return type.missing;
  if (typeof value === 'boolean') return type.boolean;
  if (typeof value === 'number') return type.number;
  if (typeof value === 'string') return typeof type.text === 'object' ? type.text.has(value) : type.text;
  if (Array.isArray(value)) {
    const { list } = type;
    return list !== null && value.every((entry) => admits(list, entry));
  }
  const { map } = type;
  if (!map || !isRecord(value)) return false;
  const present = Object.keys(value).every((key) => map.fields.has(key) || map.others !== null);
  return present && [...map.fields].every(([name, field]) => admits(field, value[name]));
}

function collectFree(type: ValueType, path: string, paths: string[]): void {
  if (type === ANYTHING) paths.push(path);
  if (type === ANYTHING || kindsOf(type).length === 0) return;
  if (type.list) collectFree(type.list, `${path}[]`, paths);
  if (!type.map) return;
  for (const [name, field] of type.map.fields) collectFree(field, path === '' ? name : `${path}.${name}`, paths);
  if (type.map.others) collectFree(type.map.others, `${path}.*`, paths);
}
