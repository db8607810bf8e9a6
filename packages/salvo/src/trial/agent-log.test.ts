import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAgentLog } from './agent-log.ts';

const logOf = (texts: string[], max?: number) => {
  const log = createAgentLog(max);
  for (const text of texts) log.add(text);
  return log.text();
};

test('what fits is kept as it was printed, without colours', () => {
  expect(logOf(['one\n', '\u001b[31mtwo\u001b[0m', '\n'])).toBe('one\ntwo\n');
  expect(logOf([])).toBe('');
});

test('a long log keeps its beginning and its end, and says how much is missing', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 40 }), (words) => {
      const texts = words.map((word) => word.replace(/[^a-z]/g, 'x'));
      const all = texts.join('');
      const text = logOf(texts, 100);
      const [, start = '', left = '', end = ''] =
        /^(x*[a-z]*)\n\[\.\.\. (\d+) characters left out \.\.\.\]\n([a-z]*)$/.exec(text) ?? [];
      if (all.length <= 100) expect(text).toBe(all);
      else {
        expect(start.length + end.length).toBeLessThanOrEqual(150);
        expect(start.length + Number(left) + end.length).toBe(all.length);
        expect(all.startsWith(start) && all.endsWith(end)).toBe(true);
      }
    }),
  );
});

test('a flood takes no more memory than a little', () => {
  const chunk = 'x'.repeat(1_000_000);
  expect(logOf(Array.from({ length: 50 }, () => chunk)).length).toBeLessThan(70_000);
});
