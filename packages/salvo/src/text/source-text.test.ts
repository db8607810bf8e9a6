import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceText, textLines } from './source-text.ts';

const anyText = fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\ud83d\ude00')).map((parts) => parts.join(''));

test('line and column are those of the text before an offset, in whatever order offsets come', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat({ max: 40 })), (text, offsets) => {
      const lines = textLines(text);
      const { place } = sourceText({ file: 'f', text });
      for (const offset of [0, text.length, ...offsets.filter((each) => each <= text.length)]) {
        const before = text.slice(0, offset).split('\n');
        const expected = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
        expect({ line: lines.line(offset), column: lines.column(offset) }).toEqual(expected);
        expect(place(offset)).toEqual(expected);
        expect(lines.start(expected.line)).toBe(offset - expected.column + 1);
      }
    }),
  );
});

test('a line has no line break, and a line behind the last is empty', () => {
  const { line } = sourceText({ file: 'f', text: 'a\r\nb\n\nc\r' });
  expect([1, 2, 3, 4, 5].map(line)).toEqual(['a', 'b', '', 'c', '']);
});
