import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach } from 'vitest';
import { leaseContract } from '../../../../../test/store/lease-contract.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

leaseContract('a SQLite store', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'salvo-leases-'));
  folders.push(folder);
  const file = path.join(folder, 'salvo.db');
  const query = (sql: string) => {
    const database = new DatabaseSync(file);
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  };
  return {
    open: (leaseMs) => openSqliteStore({ file, leaseMs }),
    async change({ elsewhere, expires, beat }) {
      if (elsewhere) query(`UPDATE leases SET holder = json_set(holder, '$.place', 'elsewhere:1')`);
      if (expires) query(`UPDATE leases SET expires_at = ${expires === 'long ago' ? 0 : 'expires_at + 1e9'}`);
      if (beat !== undefined) query(`UPDATE leases SET beat = ${beat}`);
    },
    beat: async () => Number(query('SELECT beat FROM leases')[0]?.beat),
  };
});
