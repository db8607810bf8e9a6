import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
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
