import { afterAll } from 'vitest';
import { registeredAdapters } from '../src/adapters/registered-adapters.ts';

// Test files share the modules of their process, and must not see each other's adapters.
afterAll(() => registeredAdapters.clear());
