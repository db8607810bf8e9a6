import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pictureText, terminalPicture } from '../../scripts/terminal-picture.ts';

const style = fc.constantFrom(
  (text: string) => text,
  (text: string) => `\u001b[1m${text}\u001b[22m`,
  (text: string) => `\u001b[2m${text}\u001b[22m`,
  (text: string) => `\u001b[31m${text}\u001b[39m`,
  (text: string) => `\u001b[7m\u001b[32m${text}\u001b[39m\u001b[27m`,
);
const words = fc.stringMatching(/^[ a-z<>&"'✔●…]{0,12}$/);

describe('a picture of a terminal', () => {
  it('has the text, in its columns, whatever its colors', () => {
    const painted = fc.array(fc.array(fc.tuple(words, style), { maxLength: 4 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(painted, (lines) => {
        const plain = lines.map((line) => line.map(([text]) => text).join(''));
        const colored = lines.map((line) => line.map(([text, paint]) => paint(text)).join(''));
        const shown = pictureText(terminalPicture(`${colored.join('\n')}\nend`, 'Title')).split('\n');
        expect(shown).toEqual([...plain.map((line) => line.trimEnd()), 'end', '']);
      }),
    );
  });

  it('paints what is painted', () => {
    const svg = terminalPicture('\u001b[31mred\u001b[39m \u001b[1mbold\u001b[22m plain', 'A <title>');
    expect(svg).toContain('<title>A &lt;title&gt;</title>');
    expect(svg).toMatch(/fill="#ff7b72"[^>]*>red</);
    expect(svg).toMatch(/font-weight="bold"[^>]*>bold</);
    expect(svg).toMatch(/lengthAdjust="spacingAndGlyphs">plain</);
  });
});
