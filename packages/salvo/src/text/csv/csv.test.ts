import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvField } from '../../report/csv-field.ts';
import { cellValue, readCsv } from './csv.ts';

function cells(text: string): string[][] {
  return [...readCsv(text)].map((record) => record.map((cell) => cell.text));
}

function problem(text: string) {
  const records = readCsv(text);
  for (;;) {
    const { done, value } = records.next();
    if (done) return value;
  }
}

describe('a CSV file', () => {
  test.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['"a, b","c ""d"" e"\n', [['a, b', 'c "d" e']]],
    ['"two\nlines",x', [['two\nlines', 'x']]],
    ['"two\r\nlines",x', [['two\r\nlines', 'x']]],
    [
      'a,,c\n,,',
      [
        ['a', '', 'c'],
        ['', '', ''],
      ],
    ],
    ['a\n\n\r\nb\n', [['a'], ['b']]],
    ['""\n', [['']]],
    ['a\rb,c', [['a\rb', 'c']]],
    ['', []],
  ])('%j is read as RFC 4180 says', (text, expected) => {
    expect(cells(text)).toEqual(expected);
  });

  test.each([
    ['a,"b', 2, 'never closed'],
    ['"a"b,c', 3, 'must follow the closing quote'],
    ['a,b"c', 3, 'a quote inside of a value'],
  ])('%j is refused at its offset', (text, offset, message) => {
    expect(problem(text)).toMatchObject({ offset, message: expect.stringContaining(message) });
  });

  test('that was written is read as it was, whatever is in it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', ' ', 'ü', '1') });
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 })), (records) => {
        const written = records.map((record) => record.map((value) => `"${value.replaceAll('"', '""')}"`).join(','));
        expect(cells(written.join('\r\n'))).toEqual(records);
      }),
    );
  });

  test('that a report of ours wrote is read again', () => {
    expect(cells([csvField('a "b", c'), csvField('x\ny'), csvField(1)].join(','))).toEqual([['a "b", c', 'x\ny', '1']]);
  });
});

test.each([
  ['42', 42],
  ['-1.5e3', -1500],
  ['true', true],
  ['null', null],
  ['', ''],
  ['007', '007'],
  ['+1', '+1'],
  ['1e999', '1e999'],
  ['12345678901234567890', '12345678901234567890'],
  [' 42', ' 42'],
  ['"42"', '42'],
  ['"true"', 'true'],
])('the cell %s is the value %j', (text, value) => {
  const cell = readCsv(text === '' ? ',' : text).next().value;
  expect(Array.isArray(cell) && cell[0] && cellValue(cell[0])).toEqual(value);
});
