import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonStream } from './json-in-stream.ts';

describe('readJsonStream', () => {
  it('reads JSON Lines, with empty lines and without a last line break', () => {
    expect(readJsonStream('{"a":1}\n\n[2]\r\n{"b":"}"}')).toEqual({
      values: [{ a: 1 }, [2], { b: '}' }],
      strayAt: null,
      isCutOff: false,
    });
  });

  it('reads values that follow each other without a break', () => {
    expect(readJsonStream('{\n"a": 1\n}{"b": 2}')).toEqual({
      values: [{ a: 1 }, { b: 2 }],
      strayAt: null,
      isCutOff: false,
    });
  });

  it('finds values between the lines of a log, and says where the log begins', () => {
    const text = '{"a":1}\nINFO scanning [main]\n[INFO] more\n{"b":2}\nStatus = FAIL\n---\n{"c":3}';
    expect(readJsonStream(text)).toEqual({ values: [{ a: 1 }, { b: 2 }, { c: 3 }], strayAt: 8, isCutOff: false });
  });

  it('finds the whole entries of a list that breaks off', () => {
    const { values, isCutOff } = readJsonStream('[\n{"a":1}, {"b":2},\n{"c"');
    expect({ values, isCutOff }).toEqual({ values: [{ a: 1 }, { b: 2 }], isCutOff: true });
  });

  it('reads back what was written in lines', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))),
        (values) => {
          const text = values.map((value) => JSON.stringify(value)).join('\n');
          expect(readJsonStream(text)).toEqual({
            values: values.map((value) => JSON.parse(JSON.stringify(value))),
            strayAt: null,
            isCutOff: false,
          });
        },
      ),
    );
  });

  it.each(['{\n', '[\n"', '['])('finds no value in any number of brackets that nothing closes: %j', (open) => {
    expect(readJsonStream(`${open.repeat(20_000)}\n`).values).toEqual([]);
  });
});
