import { expect, test } from 'vitest';
import { areLooselySame, looseKeys } from './loose-name.ts';

function sameGroup(a: string, b: string): boolean {
  const address = (name: string) => ({ type: 'aws_security_group', name });
  const forth = areLooselySame(address(a), address(b));
  expect(areLooselySame(address(b), address(a))).toBe(forth);
  const keys = [looseKeys(address(a)), looseKeys(address(b))];
  // The index must find what the comparison accepts.
  const found = keys[0]?.includes(keys[1]?.at(-1) ?? '-') || keys[1]?.includes(keys[0]?.at(-1) ?? '-');
  if (forth) expect(found).toBe(true);
  return forth;
}

test('a name with more words, or with words of its type, is loosely the same', () => {
  expect(sameGroup('web', 'web_security_group')).toBe(true);
  expect(sameGroup('web', 'web-sg')).toBe(true);
  expect(sameGroup('web_tier', 'acme_web_tier')).toBe(true);
});

test('names that each have a word of their own are different, and so are names of the type only', () => {
  expect(sameGroup('app_logs', 'app_data')).toBe(false);
  expect(sameGroup('data_1', 'data_2')).toBe(false);
  expect(sameGroup('group', 'security')).toBe(false);
  expect(sameGroup('web', 'web')).toBe(false);
  expect(sameGroup('a_b_c_d_e', 'a_b')).toBe(false);
});
