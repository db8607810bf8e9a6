/** A worker that takes three jobs and never ends them: `node killed-worker.ts DATABASE_URL`. */

import { openPostgres } from '../../src/postgres/postgres.ts';
import { openWorkQueue } from '../../src/queue/open-work-queue.ts';
import { sampleOrder, sampleWorker, takeOf } from './sample-order.ts';

const queue = await openWorkQueue({ postgres: await openPostgres({ url: process.argv[2] ?? '' }) });
const session = await queue.join(sampleWorker('killed', { host: 'host-b', pid: process.pid }));
const jobs = await takeOf(session, [sampleOrder().work], 3);
process.stdout.write(`took ${jobs.length}\n`);
setInterval(() => {}, 1000);
