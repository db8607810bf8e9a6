import { enableCompileCache } from 'node:module';

// The program in which modules of the user run. Without the cache, every process compiles all of its code again.
enableCompileCache();
await import('./answer-questions.ts');
