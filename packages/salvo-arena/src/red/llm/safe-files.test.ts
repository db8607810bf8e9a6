import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeFiles } from './safe-files.ts';

describe('files that a model wrote', () => {
  it('stay below the folder that they are written to, whatever their names', () => {
    const step = fc.oneof(
      fc.constantFrom('..', '.', '', '~', 'C:', '\u0000', 'a b', '%2e%2e', '__proto__'),
      fc.string(),
    );
    const name = fc
      .array(step, { maxLength: 6 })
      .chain((steps) => fc.constantFrom('/', '\\').map((by) => `${steps.join(by)}.tf`));
    fc.assert(
      fc.property(name, (each) => {
        const names = Object.keys(safeFiles([{ name: each, content: 'x' }], 'terraform').files);
        // A name without any usable character is refused.
        fc.pre(names.length > 0);
        for (const safe of names) {
          expect(posix.normalize(posix.join('/games/one', safe)).startsWith('/games/one/')).toBe(true);
          expect(safe).toMatch(/^\w[\w.-]*(?:\/\w[\w.-]*)*$/);
        }
      }),
    );
  });

  it('get the ending of their language when they have none', () => {
    expect(Object.keys(safeFiles([{ name: 'main', content: 'x' }], 'terraform').files)).toEqual(['main.tf']);
    expect(Object.keys(safeFiles([{ name: 'stack', content: 'x' }], 'cloudformation').files)).toEqual(['stack.yaml']);
  });

  it('are left out, with the reason, when they are too long, too many, empty or of one name', () => {
    const long = safeFiles([{ name: 'a.tf', content: 'x'.repeat(300_001) }], 'terraform');
    expect(long).toMatchObject({ files: {}, dropped: [{ file: 'a.tf', reason: 'too long' }] });
    const many = safeFiles(
      Array.from({ length: 41 }, (_, index) => ({ name: `${index}.tf`, content: 'x' })),
      'terraform',
    );
    expect(many.dropped).toEqual([{ file: '40.tf', reason: 'one of more than 40 files' }]);
    const rest = safeFiles(
      [
        { name: 'a.tf', content: '1' },
        { name: './a.tf', content: '2' },
        { name: 'b.tf', content: ' ' },
      ],
      'terraform',
    );
    expect(rest.files).toEqual({ 'a.tf': '1' });
    expect(rest.dropped.map(({ reason }) => reason)).toEqual(['a second file of the same name', 'empty']);
  });
});
