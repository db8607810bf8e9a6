import { expect, test } from 'vitest';
import { isAscii } from './print-result.ts';

test.each([
  [{}, false],
  [{ LANG: 'C' }, true],
  [{ LANG: 'POSIX' }, true],
  [{ LANG: 'C.UTF-8' }, false],
  [{ LANG: 'de_DE.utf8' }, false],
  [{ LANG: 'en_US.ISO-8859-1' }, true],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, true],
  [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'C' }, true],
  [{ LANG: 'C', LC_ALL: 'en_US.UTF-8' }, false],
  [{ LANG: 'C', LC_CTYPE: 'UTF-8', LC_ALL: '' }, false],
  [{ LANG: 'en_US.UTF-8', TERM: 'dumb' }, true],
])('a terminal with %j gets ASCII: %j', (env, ascii) => {
  expect(isAscii(env)).toBe(ascii);
});
