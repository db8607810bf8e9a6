import { describe, expect, test } from 'vitest';
import { compileTemplate } from './template.ts';

const row = {
  city: 'Oslo',
  n: 3,
  on: true,
  none: null,
  list: [1, 'x'],
  user: { name: 'Ada' },
  'a b': 'c',
  evil: '{{city}}',
};

describe('a template', () => {
  test.each([
    ['in {{city}}!', 'in Oslo!'],
    ['{{ city }}-{{n}}', 'Oslo-3'],
    ['{{n}}', 3],
    [' {{n}}', ' 3'],
    ['{{on}}', true],
    ['{{none}}', null],
    ['<{{none}}>', '<>'],
    ['{{list}}', [1, 'x']],
    ['{{list}}.', '[1,"x"].'],
    ['{{user.name}}', 'Ada'],
    ['{{list.1}}', 'x'],
    ['{{a b}}', 'c'],
    ['\\{{city}} and {{city}}', '{{city}} and Oslo'],
    ['{{evil}}', '{{city}}'],
    ['so: {{evil}}', 'so: {{city}}'],
    ['{"a": {"b": "{{n}}"}}', '{"a": {"b": "3"}}'],
  ])('%s is %j', (text, value) => {
    expect(compileTemplate(text)?.render(row)).toEqual(value);
  });

  test('is found at any depth, and what has none is the same object in every row', () => {
    const fixed = { type: 'object' };
    const template = compileTemplate({ a: [{ b: '{{n}}' }], fixed });
    expect(template?.render(row)).toEqual({ a: [{ b: 3 }], fixed });
    expect(Reflect.get(Object(template?.render(row)), 'fixed')).toBe(fixed);
    expect(template?.sites).toEqual([{ path: ['a', 0, 'b'], offset: 0, column: 'n', isWhole: true }]);
    expect(compileTemplate({ a: 'no { braces }', b: 1 })).toBeNull();
  });

  test.each([
    ['x {{city', 2, 'this {{ has no }}'],
    ['{{}}', 0, 'a template names a column, such as {{question}}'],
    ['{{ a {{b}}', 0, 'this {{ has no }}'],
  ])('%s is a problem with its place', (text, offset, message) => {
    expect(compileTemplate(text)?.problems).toEqual([{ path: [], offset, message }]);
  });

  test('never reads what an object inherits', () => {
    expect(compileTemplate('{{constructor}}')?.render(row)).toBeUndefined();
    expect(compileTemplate('{{user.__proto__}}')?.render(row)).toBeUndefined();
  });
});
