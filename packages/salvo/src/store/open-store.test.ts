import { afterEach, expect, test } from 'vitest';
import { withoutPackages } from '../../../../test/installed-packages.ts';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { registerExtension } from '../extension/load-extension.ts';
import { migrateStore, openStore } from './open-store.ts';

let packages: Disposable | undefined;
afterEach(() => packages?.[Symbol.dispose]());

const database = (protocol: string) => ({
  protocols: [protocol],
  open: async ({ url }: { url: string }): Promise<never> => {
    throw new Error(`opened ${url}`);
  },
  migrate: async (url: string) => `migrated ${url}`,
});

test('a database without the package for it says how to install it', async () => {
  packages = withoutPackages('salvo-postgres');
  await using fixture = await projectFixture({ 'salvo.yaml': '' });
  const opening = openStore(await fixture.project(), { secrets: [], databaseUrl: 'postgres://u:hunter2@h/d' });
  await expect(opening).rejects.toMatchObject({
    code: 'PACKAGE_MISSING',
    message: expect.stringMatching(/^A store in a database .*npm install --save-dev salvo-postgres$/),
  });
  await expect(opening).rejects.not.toThrow('hunter2');
});

test('the address says which package keeps the store', async () => {
  packages = withoutPackages('salvo-postgres');
  registerExtension({ name: 'one', doors: { database: async () => database('one:') } });
  registerExtension({ name: 'two', doors: { database: async () => database('two:') } });
  await using fixture = await projectFixture({ 'salvo.yaml': '' });
  const project = await fixture.project();
  await expect(openStore(project, { secrets: [], databaseUrl: 'two://h/d' })).rejects.toThrow('opened two://h/d');
  expect(await migrateStore(project, 'one://h/d')).toBe('migrated one://h/d');
  await expect(migrateStore(project, 'three://h/d')).rejects.toThrow('must begin with one of: one://, two://.');
});

test('an address that no package knows is explained by the only one that is there', async () => {
  await using fixture = await projectFixture({ 'salvo.yaml': '' });
  const opening = openStore(await fixture.project(), { secrets: [], databaseUrl: 'mysql://u:hunter2@h/d' });
  await expect(opening).rejects.toMatchObject({
    code: 'DATABASE_URL_INVALID',
    message: expect.stringContaining('must be postgres://USER:PASSWORD@HOST:PORT/DATABASE'),
  });
});
