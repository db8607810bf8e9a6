import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import measured from '../../vitest.measure.config.ts';

test('every file that takes samples in `npm test` is tried thoroughly by `npm run test:measure`', () => {
  const files = globSync('{packages/*/{src,web/src,test},test}/**/*.test.ts');
  const sampling = files.filter((file) => /\b(?:tried|triedOf|isThorough)\(/.test(readFileSync(file, 'utf8')));
  expect(sampling.length).toBeGreaterThan(0);
  expect(measured.test?.include).toEqual(expect.arrayContaining(sampling));
});
