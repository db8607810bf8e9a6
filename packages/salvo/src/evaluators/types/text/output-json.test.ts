import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { evaluateOutputJson } from './output-json.ts';

function evaluate(final_content: string | null, schema?: unknown) {
  const parsed = ASSERTION_SCHEMAS.output_json.parse({ type: 'output_json', ...(schema !== undefined && { schema }) });
  return evaluateOutputJson(parsed, sampleTrace({ final_content }), {});
}

const block = (text: string) => `\`\`\`json\n${text}\n\`\`\``;

describe('output_json', () => {
  it.each([
    ['an object', '{"a": 1}'],
    ['with space around', '\n  [1]\n'],
    ['with a byte order mark', '\ufeff{}'],
    ['a bare value', 'true'],
    ['one fenced block', block('{"a": 1}')],
    ['a fence of tildes', '~~~\n{"a": 1}\n~~~'],
    ['a block with prose around it', `Here you are:\n\n${block('{"a": 1}')}\nAnything else?`],
    ['a block that nothing closes', '```json\n{"a": 1}'],
    ['Windows line ends', block('{"a": 1}').replaceAll('\n', '\r\n')],
    ['a fence inside a string', '{"a": "```"}'],
    ['hostile keys', '{"__proto__": {"x": 1}, "constructor": null}'],
  ])('accepts %s', (_, content) => {
    expect(evaluate(content)).toMatchObject({ score: 1 });
  });

  it.each([
    ['no answer', null, 'the answer is empty, not JSON'],
    ['nothing', ' \n', 'the answer is empty, not JSON'],
    ['prose', 'Sure!', 'the answer is not JSON from line 1, column 1 on: "Sure!"'],
    ['a wrong token', '{"a": 1,\n "b": x}', 'the answer is not JSON from line 2, column 7 on: "x}"'],
    ['more after it', '{} {}', 'the answer is not JSON from line 1, column 4 on: "{}"'],
    ['the beginning of JSON', '{"a": [1, 2', 'the answer is not JSON: it ends too early, at line 1, column 12'],
    ['a broken block', `Look:\n${block('{"a": oh}')}`, 'the answer is not JSON from line 1, column 7 on: "oh}"'],
    ['two blocks', `${block('1')}\n${block('2')}`, 'the answer has 2 fenced blocks, expected JSON or one block of it'],
    ['a key that occurs twice', '{"a":2,"a":1}', 'the key "a" occurs twice in one object'],
    ['one in a block', block('{"b": [{"a": 2, "\\u0061": 1}]}'), 'the key "a" occurs twice in one object'],
    ['an empty block', block(''), 'the answer is not JSON: it ends too early, at line 1, column 1'],
  ])('refuses %s and says where it stops being JSON', (_, content, details) => {
    expect(evaluate(content)).toMatchObject({ score: 0, details });
  });

  it('lists what does not fit the schema, at most five', async () => {
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
    expect(evaluate('{"id": "A1"}', schema)).toMatchObject({ score: 1 });
    expect(evaluate('{"id": 1}', schema)).toMatchObject({
      score: 0,
      details: 'the answer does not fit the schema: /id: must be string',
    });
    const nine = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, false]));
    const { details } = await evaluate(JSON.stringify(nine), { additionalProperties: { type: 'string' } });
    expect(details.split('; ')).toHaveLength(6);
    expect(details).toContain('and 4 more');
  });

  it('takes a schema of true or false at its word', () => {
    expect(evaluate('1', true)).toMatchObject({ score: 1 });
    expect(evaluate('1', false)).toMatchObject({ score: 0 });
  });

  it('throws on an invalid schema', () => {
    expect(() => evaluate('1', { type: 'strng' })).toThrow('JSON Schema');
  });

  it('copes with huge and deeply nested answers', () => {
    expect(evaluate('['.repeat(1_000_000))).toMatchObject({ score: 0, details: expect.stringContaining('too early') });
    expect(evaluate('['.repeat(50_000) + ']'.repeat(50_000))).toMatchObject({ score: 1 });
    expect(evaluate(`{"a": "${'x'.repeat(10_000_000)}", b}`)).toMatchObject({ score: 0 });
    expect(evaluate('\u0000')).toMatchObject({ score: 0 });
  });

  it('accepts everything that JSON.stringify writes, bare or fenced', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(evaluate(JSON.stringify(value))).toMatchObject({ score: 1 });
        expect(evaluate(`As asked:\n${block(JSON.stringify(value, null, 2))}`)).toMatchObject({ score: 1 });
      }),
    );
  });
});
