import { expect, test } from 'vitest';
import { gamesHref } from '../../../../src/app/view/page-hrefs.ts';
import { fits, readFilter } from './game-filter.ts';

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
