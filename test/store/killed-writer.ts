/** A process that stores a run and is killed: `node killed-writer.ts FILE`. */
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import { sampleRun } from '../sample-run.ts';

const store = await openSqliteStore({ file: process.argv[2] ?? '' });
await store.createRun(sampleRun());
process.kill(process.pid, 'SIGKILL');
