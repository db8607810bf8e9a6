import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latexText } from './latex.ts';

test('what LaTeX would act on is text', () => {
  expect(latexText('a_b & 50% of $x$ {#1} ~ ^ \\input{/etc/passwd}')).toBe(
    'a\\_b \\& 50\\% of \\$x\\$ \\{\\#1\\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{}input\\{/etc/passwd\\}',
  );
});

test('a text of several lines is one line, and a comment ends nothing', () => {
  expect(latexText('one\n% two\r\n\\end{tabular}')).toBe('one \\% two \\textbackslash{}end\\{tabular\\}');
});

test('what usual fonts have not becomes a question mark', () => {
  expect(latexText('é 漢字 🏴 \u001b[31m \u202e')).toMatch(/^é \?\? \?/);
});

test('no text leaves an unescaped character or starts a command of its own', () => {
  const ours =
    /\\(?:textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|dots|textperiodcentered)\{\}|\\[{}$&#%_]/g;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(latexText(text).replaceAll(ours, '')).not.toMatch(/[\\{}$&#%_~^\n\r]/);
    }),
  );
});
