import { defineConfig } from 'vitest/config';
import { PACKAGES_AS_SOURCES } from './vitest.packages.ts';

/** Tests that need something the repository does not bring along. They say what, and skip themselves without it. */
export default defineConfig({
  ...PACKAGES_AS_SOURCES,
  test: {
    include: ['test/live/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
