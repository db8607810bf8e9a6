import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnText, textInColumn } from './column-text.ts';

test('any text comes back, and its column has nothing that PostgreSQL refuses or changes', () => {
  const part = fc.constantFrom('\0', '\\', '\ud800', '\udc00', '0000', 'd800', 'é', '😀');
  const text = fc.array(fc.oneof(part, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (given) => {
      const column = columnText(given);
      expect(column.isWellFormed() && !column.includes('\0')).toBe(true);
      expect(textInColumn(column)).toBe(given);
    }),
  );
});

test('an ordinary text is itself', () => {
  expect(columnText("it's 100% 😀")).toBe("it's 100% 😀");
});
