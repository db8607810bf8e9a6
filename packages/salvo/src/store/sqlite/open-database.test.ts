import { execFileSync, spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { openDatabase } from './open-database.ts';

const file = new URL('./open-database.ts', import.meta.url).href;

test('loading SQLite says nothing, whatever the version of Node', () => {
  const script = `const { openDatabase } = await import(${JSON.stringify(file)});
    (await openDatabase(':memory:')).close(); console.log('done');`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(child.stdout).toBe('done\n');
  expect(child.stderr).toBe('');
});

test('other warnings still reach the user afterwards', async () => {
  const emitWarning = process.emitWarning;
  (await openDatabase(':memory:')).close();
  expect(process.emitWarning).toBe(emitWarning);
  const script = `const { openDatabase } = await import(${JSON.stringify(file)});
    await openDatabase(':memory:'); process.on('warning', (w) => console.log(w.message)); process.emitWarning('heard');`;
  const out = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  expect(out).toBe('heard\n');
});

test.skipIf(process.platform === 'win32')('a new folder is for its owner alone', async () => {
  await using project = await projectFixture();
  (await openDatabase(project.path('.salvo/salvo.db'))).close();
  expect((await stat(project.path('.salvo'))).mode & 0o777).toBe(0o700);
});
