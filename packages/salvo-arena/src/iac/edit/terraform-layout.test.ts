import { describe, expect, it } from 'vitest';
import { terraformLayout } from './terraform-layout.ts';

const lines = (...parts: string[]) => `${parts.join('\n')}\n`;

/** The results are what `terraform fmt` 1.11 writes, apart from the empty lines, which it keeps. */
describe('terraformLayout', () => {
  it.each([
    ['a line that is longer than the others', ['a = 1', 'long = 2'], ['a    = 1', 'long = 2']],
    ['the blanks of a line that was removed', ['a    = 1', 'b    = 2'], ['a = 1', 'b = 2']],
    ['groups apart', ['a = 1', '', 'long = 2'], ['a = 1', '', 'long = 2']],
    ['a value of several lines', ['a = 1', 'long = [', '2', ']'], ['a = 1', 'long = [', '  2', ']']],
    ['a comment between two lines', ['a = 1', '# b', 'long = 2'], ['a = 1', '# b', 'long = 2']],
    ['comments at the end', ['a = 1 # x', 'b = 22   // y'], ['a = 1  # x', 'b = 22 // y']],
    ['signs in strings', ['a = "# = {"', `bb = "$\{x["="]}"`], ['a  = "# = {"', `bb = "$\{x["="]}"`]],
    ['comparisons', ['a == b ? 1 : 2', 'c => d'], ['a == b ? 1 : 2', 'c => d']],
    [
      'a heredoc',
      ['a = <<-END', '    b   = {', '  END', 'long = 1'],
      ['a    = <<-END', '    b   = {', '  END', 'long = 1'],
    ],
    ['entries on one line', ['[', '{ a = 1 },', '{ long = 2 },', ']'], ['[', '  { a = 1 },', '  { long = 2 },', ']']],
  ])('aligns: %s', (_, before, after) => {
    expect(terraformLayout(lines(...before))).toBe(lines(...after));
  });

  it('indents once for all brackets that a line opens', () => {
    const code = lines('a = f([{', 'b = 1', '}, {', 'c = [', '2', ']', '}])', 'd = 1');
    expect(terraformLayout(code)).toBe(
      lines('a = f([{', '  b = 1', '  }, {', '  c = [', '    2', '  ]', '}])', 'd = 1'),
    );
  });

  it('leaves no empty line next to a bracket, none at the ends and no two in a row', () => {
    expect(terraformLayout('\n\na {\n\n  b = 1\n\n\n  c {}\n\n}\n\n\nd {}\n\n')).toBe(
      'a {\n  b = 1\n\n  c {}\n}\n\nd {}\n',
    );
  });

  it.each(['', '\n', '"', 'a = "${', 'a = <<END', '}}}', '{{{', 'a = "\\', '='])('reads %j to its end', (text) => {
    expect(terraformLayout(terraformLayout(text))).toBe(terraformLayout(text));
  });
});
