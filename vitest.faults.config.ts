import { defineConfig } from 'vitest/config';

/** Faults and attacks: kills, full disks, closed pipes, hostile servers, agents and files. Ends with a table of cases. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/postgres-setup.ts', 'test/faults/left-behind.ts'],
    reporters: ['default', './test/faults/case-table.ts'],
    testTimeout: 90_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
  },
});
