import { expect, test } from 'vitest';
import { addedPages, addPages, decoded } from './added-pages.ts';

test('the pages of all packages are there, in the order in which they were added', () => {
  addPages({ routes: [{ path: '/a', page: () => null }], places: [{ name: 'A', href: '/a' }] });
  addPages({ routes: [{ path: '/b', page: () => null }], chosen: [/\/line\/\d+$/] });
  const { routes, places, chosen } = addedPages();
  expect(routes.map(({ path }) => path)).toEqual(['/a', '/b']);
  expect(places.map(({ name }) => name)).toEqual(['A']);
  expect(chosen).toHaveLength(1);
});

test.each([
  ['a%2Fb', 'a/b'],
  ['100%25', '100%25'],
  ['r1%40m%3F', 'r1@m?'],
])('the part %s of an address is the text %s', (part, text) => {
  expect(decoded(part)).toBe(text);
});
