import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineBuffer } from './line-buffer.ts';

test('lines are the same, however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n') })), (parts) => {
      const buffer = new LineBuffer();
      const lines = parts.flatMap((part) => buffer.push(part));
      expect([...lines, buffer.rest]).toEqual(parts.join('').split('\n'));
      expect(buffer.length).toBe(buffer.rest.length);
    }),
  );
});
