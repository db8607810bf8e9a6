import { defineConfig } from 'vitest/config';
import { PACKAGES_AS_SOURCES } from './vitest.packages.ts';

/** The packages as npm installs them, and their main paths on the oldest Node that package.json allows. */
export default defineConfig({
  ...PACKAGES_AS_SOURCES,
  test: {
    include: ['test/installed/**/*.test.ts'],
    globalSetup: ['test/installed/install-node.ts', 'test/postgres-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // As in vitest.config.ts.
    expect: { poll: { timeout: 15_000 } },
    env: { npm_command: '' },
  },
});
