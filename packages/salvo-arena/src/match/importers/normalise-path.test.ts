import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalisePath } from './normalise-path.ts';

describe('normalisePath', () => {
  it.each([
    ['./main.tf', 'main.tf'],
    ['.\\modules\\db\\main.tf', 'modules/db/main.tf'],
    ['C:\\ci\\shop\\main.tf', 'C:/ci/shop/main.tf'],
    ['/home/ci/shop/main.tf', '/home/ci/shop/main.tf'],
    ['file:///home/ci/my%20shop/main.tf', '/home/ci/my shop/main.tf'],
    ['file:///C:/ci/main.tf', 'C:/ci/main.tf'],
    ['file://main.tf/a.tf', '/a.tf'],
    ['a//b/./c/../d.tf', 'a/b/d.tf'],
    ['../../shop/main.tf', '../../shop/main.tf'],
    ['100%.tf', '100%.tf'],
    ['file:///100%.tf', '/100%.tf'],
  ])('%s is %s', (path, expected) => {
    expect(normalisePath(path)).toBe(expected);
  });

  it('is idempotent', () => {
    const step = fc.constantFrom('a', '..', '.', '', 'b.tf', 'C:', 'é', '__proto__');
    fc.assert(
      fc.property(fc.array(step), fc.constantFrom('/', '\\'), (steps, separator) => {
        const once = normalisePath(steps.join(separator));
        expect(normalisePath(once)).toBe(once);
      }),
    );
  });
});
