import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { functionLengths, lengthsIn } from '../../scripts/function-lengths.ts';

const ROOT = join(import.meta.dirname, '../..');
const LONGEST = 100;

describe('the length of functions', () => {
  it('is at most 100 lines', () => {
    const found = functionLengths(ROOT).filter(({ lines }) => lines > LONGEST);
    expect(found.map(({ file, name }) => `${file} ${name}`)).toEqual([]);
  });
});

describe('lengthsIn', () => {
  it('counts from the first line to the brace that closes the body', () => {
    const source = [
      'export async function sum({',
      '  a,',
      '}: {',
      '  a: number;',
      '}): Promise<number> {',
      '  const inner = () => {',
      '    return a;',
      '  };',
      '  return inner();',
      '}',
      'class Counter {',
      '  add(by: number): void {',
      '    if (by > 0) {',
      '      this.#total += by;',
      '    }',
      '  }',
      '}',
    ].join('\n');
    expect(lengthsIn(source)).toEqual([
      { name: 'sum', lines: 10 },
      { name: 'inner', lines: 3 },
      { name: 'add', lines: 5 },
    ]);
  });

  it('knows where a method of an object ends', () => {
    const source = ['const counter = {', '  add(by: number): void {', '    total += by;', '  },', '  total: 0,', '};'];
    expect(lengthsIn(source.join('\n'))).toEqual([{ name: 'add', lines: 3 }]);
  });
});
