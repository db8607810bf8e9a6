import { expect, test } from 'vitest';
import { isBusy, sqliteError } from './sqlite-error.ts';

function thrown(errcode: number): Error {
  return Object.assign(new Error('database trouble'), { code: 'ERR_SQLITE_ERROR', errcode });
}

test.each([
  [5, 'STORE_BUSY'],
  [517, 'STORE_BUSY'],
  [8, 'STORE_NOT_WRITABLE'],
  [1544, 'STORE_NOT_WRITABLE'],
  [14, 'STORE_NOT_WRITABLE'],
  [778, 'STORE_IO'],
  [11, 'STORE_CORRUPT'],
  [26, 'STORE_CORRUPT'],
  [13, 'STORE_FULL'],
])('result code %i is %s, names the file and keeps its cause', (errcode, code) => {
  const cause = thrown(errcode);
  expect(sqliteError('/p/salvo.db', cause)).toMatchObject({
    code,
    cause,
    message: expect.stringContaining('/p/salvo.db'),
  });
});

test('a full disk is never wrong input; what cannot be written is, unless the store was open before', () => {
  expect(sqliteError('/p/salvo.db', thrown(13))).toMatchObject({ outcome: 'unscored' });
  expect(sqliteError('/p/salvo.db', thrown(8))).toMatchObject({ outcome: 'wrong_input' });
  expect(sqliteError('/p/salvo.db', thrown(8), { midRun: true })).toMatchObject({ outcome: 'unscored' });
});

test('an error that does not concern the file is returned unchanged', () => {
  for (const cause of [thrown(1), thrown(19), new Error('other'), 'text', undefined]) {
    expect(sqliteError('/p/salvo.db', cause)).toBe(cause);
  }
});

test('a lock of another process, in any variant, is busy', () => {
  expect([5, 6, 261, 517].map((code) => isBusy(thrown(code)))).toEqual([true, true, true, true]);
  expect([1, 13].map((code) => isBusy(thrown(code)))).toEqual([false, false]);
});
