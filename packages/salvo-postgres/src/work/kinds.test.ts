import { expect, test } from 'vitest';
import { withoutPackages } from '../../../../test/installed-packages.ts';
import { kindOf, nameOf, workKinds } from './kinds.ts';

test('runs are known, and what installed packages have', async () => {
  expect((await workKinds()).map(({ kind }) => kind)).toEqual(['run', 'experiment']);
});

test('work of a package that is not installed says how to install it', async () => {
  using _ = withoutPackages('salvo-arena');
  const work = { kind: 'experiment' as const, id: 'e1' };
  await expect(kindOf(work)).rejects.toMatchObject({
    code: 'PACKAGE_MISSING',
    message:
      'Work of the kind experiment is part of the package salvo-arena, which is not installed. Run: npm install --save-dev salvo-arena',
  });
  expect((await kindOf({ kind: 'run', id: 'r1' })).kind).toBe('run');
  expect(nameOf(work)).toBe('Experiment e1');
});
