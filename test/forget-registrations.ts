import { afterAll } from 'vitest';
import { forgetRegistrations } from './registrations.ts';

// Test files share the modules of their process, and must not see each other's adapters and assertion types.
afterAll(forgetRegistrations);
