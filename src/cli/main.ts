#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: a start without it compiles every module again.
enableCompileCache();
const { main } = await import('./run-main.ts');
const { guardProcess } = await import('./terminal/process-guard.ts');
const release = guardProcess(process);
const exitCode = await main(process.argv);
release();
// What was written goes out first. Then we leave: an agent in this process that ignored its time limit is still at it.
for (const stream of [process.stdout, process.stderr]) {
  await new Promise<void>((resolve) => stream.write('', () => resolve()));
}
process.exit(exitCode);
