import { describe, expect, test } from 'vitest';
import { chosenHref, readChoice } from '../../packages/salvo/web/src/pages/run/grid-choice.ts';
import { visibleText } from '../../packages/salvo/web/src/visible-text.ts';
import { gamesHref } from '../../packages/salvo-arena/src/app/view/page-hrefs.ts';
import { fits, readFilter } from '../../packages/salvo-arena/web/src/pages/games/game-filter.ts';

describe('what is chosen on a page', () => {
  test('is in its address, and read from there', () => {
    const choice = { statuses: new Set(['failed', 'crashed'] as const), order: 'worst' as const };
    const href = chosenHref('r1', choice);
    expect(href).toMatch(/^\/runs\/r1\/where\/status=\w+,\w+&order=worst$/);
    expect(readChoice(href.slice('/runs/r1/where/'.length))).toEqual(choice);
    expect(chosenHref('r1', { statuses: new Set(), order: 'file' })).toBe('/runs/r1');
  });

  test('is nothing if the address has unknown words', () => {
    expect(readChoice('status=nice&order=random&x=y')).toEqual({ statuses: new Set(), order: 'file' });
  });

  test('filters games by what the address says, whatever a name contains', () => {
    const href = gamesHref('e1', { blue: 'command:a & b/c', outcome: 'failed', task: '' });
    const [, filter = ''] = href.split('/where/');
    const read = readFilter(decodeURIComponent(filter));
    expect(read).toMatchObject({ blue: 'command:a & b/c', outcome: 'failed', task: '' });
    const game = {
      ...{
        game_id: 'g',
        task: 't',
        red: 'mutation',
        blue: 'command:a & b/c',
        difficulty: 'easy',
        language: 'terraform',
      },
      ...{ status: 'failed', flaws: 0, found: 0 },
    };
    const line = game as Parameters<typeof fits>[0];
    expect([fits(line, read), fits({ ...line, blue: 'rules' }, read)]).toEqual([true, false]);
    expect(gamesHref('e1', { task: '' })).toBe('/experiments/e1/games');
  });
});

describe('a text that somebody else wrote', () => {
  test.each([
    ['plain\ttext\n', 'plain\ttext\n'],
    ['one\r\ntwo\u2028three', 'one\ntwo\nthree'],
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['👩\u200d💻', '👩\u200d💻'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  test('shows control characters as symbols', () => {
    expect(visibleText('a\u001b[31m')).not.toContain('\u001b');
  });
});
