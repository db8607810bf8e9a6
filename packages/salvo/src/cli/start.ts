import { enableCompileCache } from 'node:module';

// Before anything else is loaded: without the cache every start compiles all modules again.
enableCompileCache();
const { main } = await import('./run-main.ts');
const exitCode = await main(process.argv);
// Exit explicitly: an agent in this process that ignores its time limit may still be running.
process.exit(exitCode);
