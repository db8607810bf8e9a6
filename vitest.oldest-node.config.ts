import { defineConfig } from 'vitest/config';
import { PACKAGES_AS_SOURCES } from './vitest.packages.ts';

/** The main paths of the built package on the oldest Node that package.json allows. */
export default defineConfig({
  ...PACKAGES_AS_SOURCES,
  test: {
    include: ['test/oldest-node/**/*.test.ts'],
    globalSetup: ['test/oldest-node/install-node.ts', 'test/postgres-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // As in vitest.config.ts.
    expect: { poll: { timeout: 15_000 } },
    env: { npm_command: '' },
  },
});
