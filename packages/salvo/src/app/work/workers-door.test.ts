import { afterEach, expect, test } from 'vitest';
import { withoutPackages } from '../../../../../test/installed-packages.ts';
import { refuseWithoutWorkers, whyWaiting } from './workers-door.ts';

let packages: Disposable | undefined;
afterEach(() => packages?.[Symbol.dispose]());

test.each([
  ['local', { local: 2 }],
  ['labels', { labels: ['gpu'] }],
  ['detach', { detach: true }],
])('workers.%s without a database is refused', async (option, use) => {
  await expect(refuseWithoutWorkers(use, false)).rejects.toMatchObject({
    code: 'DATABASE_MISSING',
    message: expect.stringContaining(`\`workers.${option}\` needs a database`),
  });
  packages = withoutPackages('salvo-postgres');
  await expect(refuseWithoutWorkers(use, false)).rejects.toMatchObject({
    code: 'PACKAGE_MISSING',
    message: `\`workers.${option}\` is part of the package salvo-postgres, which is not installed. Run: npm install --save-dev salvo-postgres`,
  });
});

test('what asks nothing of workers needs no package', async () => {
  packages = withoutPackages('salvo-postgres');
  await expect(refuseWithoutWorkers({ labels: [], detach: false, command: ['salvo'] }, false)).resolves.toBeUndefined();
  expect(await whyWaiting({ workerAccess: null }, { kind: 'run', id: 'r' })).toBeNull();
});
