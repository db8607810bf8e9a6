#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: a start without it compiles every module again.
enableCompileCache();
const { main } = await import('./run-main.ts');
process.exitCode = await main(process.argv);
