import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { PACKAGES_AS_SOURCES } from './vitest.packages.ts';

const TESTS = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts'];
/** These take samples in `npm test`. */
const sampling = globSync(TESTS, { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(`${import.meta.dirname}/${file}`, 'utf8').includes("/thorough.ts';\n"),
);

/** Measurements, simulations, and what `npm test` tries on samples only, thoroughly. */
export default defineConfig({
  ...PACKAGES_AS_SOURCES,
  test: {
    include: ['test/measure/**/*.test.ts', ...sampling],
    provide: { thorough: true },
    testTimeout: 180_000,
    setupFiles: ['test/forget-registrations.ts', 'test/real-timers.ts', 'test/same-cases.ts'],
    env: { npm_command: '' },
    maxWorkers: '100%',
  },
});
