import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Piece, Splitter } from './pieces.ts';
import { splitLines } from './split-lines.ts';
import { splitValues } from './split-values.ts';

const MANY = 1_000_000;

/** The pieces of a text that arrives in chunks of this size. */
function pieces(splitter: Splitter, text: string, size: number): Piece[] {
  const bytes = Buffer.from(text);
  const all: Piece[] = [];
  for (let at = 0; at < bytes.length; at += size) all.push(...splitter.push(bytes.subarray(at, at + size)));
  return [...all, ...splitter.end()];
}

const texts = (found: readonly Piece[]) =>
  found.map((piece) => ('bytes' in piece ? piece.bytes.toString() : piece.problem));
const records = fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), {
  minLength: 1,
});

describe('a list', () => {
  it('gives its elements with their lines and offsets, however it is laid out and cut into chunks', () => {
    fc.assert(
      fc.property(
        records,
        fc.constantFrom(undefined, 1, 2),
        fc.integer({ min: 1, max: 40 }),
        (values, indent, size) => {
          const text = JSON.stringify(values, null, indent);
          const found = pieces(splitValues({ longest: MANY, whole: false }), text, size);
          expect(texts(found).map((each) => JSON.parse(each))).toEqual(JSON.parse(JSON.stringify(values)));
          for (const piece of found) {
            if (!('bytes' in piece)) expect.fail(piece.problem);
            const before = Buffer.from(text).subarray(0, piece.offset).toString();
            expect(piece.line).toBe(before.split('\n').length);
            const there = Buffer.from(text).subarray(piece.offset, piece.offset + piece.bytes.length);
            expect(there.equals(piece.bytes)).toBe(true);
          }
        },
      ),
    );
  });

  it('that is cut off gives what was complete, and says where the rest begins', () => {
    const found = pieces(splitValues({ longest: MANY, whole: false }), '[{"a": 1},\n{"b": [2', 3);
    expect(found).toMatchObject([{ line: 1 }, { line: 2, problem: expect.stringContaining('truncated') }]);
    const open = pieces(splitValues({ longest: MANY, whole: false }), '[{"a": 1},\n', 3);
    expect(open).toMatchObject([{ line: 1 }, { line: 2, problem: expect.stringContaining('truncated') }]);
  });

  it('may have numbers, texts and nothing in it', () => {
    const found = pieces(splitValues({ longest: MANY, whole: false }), '[1, "a,]\\"", null , {}, [] ]', 2);
    expect(texts(found).map((each) => JSON.parse(each))).toEqual([1, 'a,]"', null, {}, []]);
  });
});

describe('documents', () => {
  it('follow each other with or without line breaks', () => {
    fc.assert(
      fc.property(
        records,
        fc.constantFrom('', '\n', '\r\n\n'),
        fc.integer({ min: 1, max: 40 }),
        (values, between, size) => {
          const text = values.map((value) => JSON.stringify(value, null, 1)).join(between);
          const found = pieces(splitValues({ longest: MANY, whole: true }), text, size);
          expect(texts(found).map((each) => JSON.parse(each))).toEqual(JSON.parse(JSON.stringify(values)));
        },
      ),
    );
  });

  it('that are nested too deeply or too long are left out, and those after them are read', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const found = pieces(
      splitValues({ longest: 1000, whole: true }),
      `${deep}\n{"a": "${'x'.repeat(2000)}"}\n{"b": 1}`,
      77,
    );
    expect(found).toMatchObject([
      { line: 1, problem: expect.stringContaining('nested') },
      { line: 2, problem: expect.stringContaining('longer') },
      { line: 3 },
    ]);
  });
});

describe('lines', () => {
  it('are counted with the blank ones, and keep their offsets', () => {
    for (const size of [1, 2, 5, 1000]) {
      const found = pieces(splitLines(MANY), '{"a":1}\r\n\r\n \t\n{"b":2}\n{"c"', size);
      expect(found).toMatchObject([
        { line: 1, offset: 0 },
        { line: 4, offset: 14 },
        { line: 5, offset: 22 },
      ]);
      expect(texts(found)).toEqual(['{"a":1}\r', '{"b":2}', '{"c"']);
    }
  });

  it('that are too long are left out, without being kept', () => {
    const found = pieces(splitLines(100), `{"a":1}\n${'x'.repeat(5000)}\n{"b":2}`, 64);
    expect(found).toMatchObject([{ line: 1 }, { line: 2, problem: expect.stringContaining('longer') }, { line: 3 }]);
  });
});
