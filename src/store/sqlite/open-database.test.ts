import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { loadSqlite } from './open-database.ts';

const file = new URL('./open-database.ts', import.meta.url).href;

test('loading SQLite says nothing, whatever the version of Node', () => {
  const script = `const { loadSqlite } = await import(${JSON.stringify(file)});
    new (loadSqlite().DatabaseSync)(':memory:').close(); console.log('done');`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(child.stdout).toBe('done\n');
  expect(child.stderr).toBe('');
});

test('other warnings still reach the user afterwards', () => {
  const emitWarning = process.emitWarning;
  loadSqlite();
  expect(process.emitWarning).toBe(emitWarning);
  const script = `const { loadSqlite } = await import(${JSON.stringify(file)});
    loadSqlite(); process.on('warning', (w) => console.log(w.message)); process.emitWarning('heard');`;
  const out = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  expect(out).toBe('heard\n');
});
