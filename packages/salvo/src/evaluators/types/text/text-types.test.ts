import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS, type BuiltInAssertionType } from '../../../scenario/schema/assertion-schema.ts';
import { getEvaluator } from '../../registry.ts';

async function evaluate(type: BuiltInAssertionType, fields: Record<string, unknown>, final_content: string | null) {
  const assertion = ASSERTION_SCHEMAS[type].parse({ type, ...fields });
  const messages = [
    { role: 'user' as const, content: 'Please.' },
    { role: 'assistant' as const, content: final_content, tool_calls: [] },
  ];
  return getEvaluator(type)(assertion, sampleTrace({ final_content, messages }), {});
}

describe('output_contains_any', () => {
  it('passes if one of the texts is in the answer', async () => {
    expect(await evaluate('output_contains_any', { value: ['shipped', 'sent'] }, 'It was sent.')).toMatchObject({
      score: 1,
      details: 'the answer contains "sent" at character 8: "It was sent."',
    });
    const missing = await evaluate('output_contains_any', { value: ['Sent', 'gone'] }, 'It was sent.');
    expect(missing.score).toBe(0);
    expect(missing.details).toContain('contains none of "Sent" (in other case at character 8');
    const folded = { value: ['SENT'], case_sensitive: false };
    expect(await evaluate('output_contains_any', folded, 'It was sent.')).toMatchObject({ score: 1 });
    expect(await evaluate('output_contains_any', folded, null)).toMatchObject({ score: 0 });
  });
});

describe('output_equals', () => {
  it('compares the whole answer as it looks, without white space around it', async () => {
    expect(await evaluate('output_equals', { value: 'Yes, sir' }, '\n Yes,\u00a0sir ')).toMatchObject({ score: 1 });
    expect(await evaluate('output_equals', { value: 'YES', case_sensitive: false }, 'yes')).toMatchObject({ score: 1 });
  });

  it.each([
    [
      'Paris',
      'paris',
      'it differs at character 1: "paris", expected there: "Paris" (only upper and lower case differ)',
    ],
    ['Paris.', 'Paris', 'it ends too early: "." is missing; got "Paris"'],
    ['Paris', 'Paris is it', 'it goes on at character 6: "Paris is it"'],
    ['a😀b', 'a😁b', 'it differs at character 2: "a😁b", expected there: "😀b"'],
    ['a', '', 'there is no answer: it is missing or empty'],
  ])('%j is not %j: it says where both differ', async (value, answer, difference) => {
    const { score, details } = await evaluate('output_equals', { value }, answer);
    expect({ score, details }).toEqual({
      score: 0,
      details: `the answer is not ${JSON.stringify(value)}: ${difference}`,
    });
  });

  it('compares a value that is no text with the JSON of the answer', async () => {
    const value = { a: [1, 2], b: null };
    expect(await evaluate('output_equals', { value }, '```json\n{"b": null, "a": [1, 2.0]}\n```')).toMatchObject({
      score: 1,
    });
    expect(await evaluate('output_equals', { value: 42 }, ' 42 ')).toMatchObject({ score: 1 });
    expect((await evaluate('output_equals', { value }, '{"a": [1, 3], "c": 1}')).details).toBe(
      'the answer is not {"a":[1,2],"b":null}: /a/1: got 3, expected 2; 2 more differences',
    );
    expect((await evaluate('output_equals', { value: true }, 'perhaps')).details).toContain('the answer is not JSON');
    expect(await evaluate('output_equals', { value: [] }, null)).toMatchObject({ score: 0 });
  });

  it('survives an answer that is huge, or JSON of a great depth', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(await evaluate('output_equals', { value: [[1]] }, deep)).toMatchObject({ score: 0 });
    const long = 'x'.repeat(3_000_000);
    expect((await evaluate('output_equals', { value: `${long}y` }, `${long}z`)).details).toContain(
      'at character 3000001',
    );
  });
});

describe('output_not_equals', () => {
  it('needs an answer that is another one', async () => {
    expect(await evaluate('output_not_equals', { value: 'No' }, 'No.')).toMatchObject({ score: 1 });
    expect(await evaluate('output_not_equals', { value: 'No' }, ' No')).toMatchObject({ score: 0 });
    expect(await evaluate('output_not_equals', { value: { a: 1 } }, '{"a":1}')).toMatchObject({ score: 0 });
    expect(await evaluate('output_not_equals', { value: 'No' }, '')).toMatchObject({ score: 0, passed: false });
  });
});

describe('output_starts_with and its opposite', () => {
  it.each([
    ['Dear', '  Dear Ada', 1, 0],
    ['dear', 'Dear Ada', 0, 1],
    ['Dear Bob', 'Dear Ada', 0, 1],
    ['Dear', '', 0, 0],
    ['Dear', null, 0, 0],
  ])('%j and the answer %j', async (value, answer, begins, not) => {
    expect(await evaluate('output_starts_with', { value }, answer)).toMatchObject({ score: begins });
    expect(await evaluate('output_not_starts_with', { value }, answer)).toMatchObject({ score: not });
  });

  it('says where the answer begins otherwise', async () => {
    expect((await evaluate('output_starts_with', { value: 'Dear Bob' }, 'Dear Ada')).details).toBe(
      'the answer does not begin with "Dear Bob": it differs at character 6: "Dear Ada", expected there: "Bob"',
    );
  });
});

describe('output_length', () => {
  it('counts characters as they are read, or words', async () => {
    expect(await evaluate('output_length', { max: 3 }, ' 😀ab ')).toMatchObject({ score: 1 });
    expect(await evaluate('output_length', { min: 2, unit: 'words' }, 'one')).toMatchObject({
      score: 0,
      details: 'the answer has 1 word, at least 2 demanded: got "one"',
    });
    expect(await evaluate('output_length', { max: 2, unit: 'words' }, 'one\n two  three')).toMatchObject({
      score: 0,
      details: expect.stringContaining('3 words, at most 2 demanded'),
    });
    expect(await evaluate('output_length', { max: 5 }, '  ')).toMatchObject({ score: 0, passed: false });
  });
});

describe('transform', () => {
  it('is a JMESPath expression over the JSON of the answer, or over its text', async () => {
    const transform = 'items[0].name';
    const answer = '```json\n{"items": [{"name": "Ada"}]}\n```';
    expect(await evaluate('output_equals', { value: 'Ada', transform }, answer)).toMatchObject({ score: 1 });
    expect(await evaluate('output_equals', { value: 3, transform: 'length(@)' }, 'abc')).toMatchObject({ score: 1 });
    expect(await evaluate('output_contains', { value: '"name"', transform: 'items' }, answer)).toMatchObject({
      score: 1,
    });
  });

  it('fails with what the answer was if nothing is found', async () => {
    expect(await evaluate('output_not_contains', { value: 'x', transform: 'a.b' }, '{"a": 1}')).toEqual({
      score: 0,
      passed: false,
      details: 'transform gave nothing for "{\\"a\\": 1}"',
    });
  });

  it('is code, in the same thread as that of assertions', async () => {
    const transform = { javascript: "output.split('####').pop().trim()" };
    expect(await evaluate('output_equals', { value: '42', transform }, 'because #### 42')).toMatchObject({ score: 1 });
    const throwing = { javascript: 'output.missing.field' };
    await expect(evaluate('output_equals', { value: '42', transform: throwing }, 'x')).rejects.toThrow(
      'The code failed: TypeError: Cannot read properties of undefined',
    );
  });
});
