import { defineConfig } from 'vitest/config';

/** Tests that need something the repository does not bring along. They say what, and skip themselves without it. */
export default defineConfig({
  test: {
    include: ['test/live/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
