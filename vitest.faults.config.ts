import { defineConfig } from 'vitest/config';
import { PACKAGES_AS_SOURCES } from './vitest.packages.ts';

/** Faults and attacks: kills, full disks, closed pipes, hostile servers, agents and files. Ends with a table of cases. */
export default defineConfig({
  ...PACKAGES_AS_SOURCES,
  test: {
    include: ['test/faults/**/*.test.ts'],
    // The last to be torn down is the first: PostgreSQL must be gone by then, too.
    globalSetup: ['test/faults/left-behind.ts', 'test/postgres-setup.ts'],
    reporters: ['default', './test/faults/case-table.ts'],
    // For what hangs. On a machine with a load of 30, the slowest test takes two minutes.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // As in vitest.config.ts.
    expect: { poll: { timeout: 15_000 } },
    env: { npm_command: '' },
    maxWorkers: 2,
    maxConcurrency: 3,
  },
});
