import { defineConfig } from 'vitest/config';

/** Measurements, simulations, and what `npm test` tries on samples only, thoroughly. */
export default defineConfig({
  test: {
    include: [
      'test/measure/**/*.test.ts',
      'test/fuzz/**/*.test.ts',
      'src/scenario/load-scenario.fuzz.test.ts',
      'src/arena/red/mutation/create-mutation-red.test.ts',
      'src/arena/red/operators/operators.test.ts',
    ],
    provide: { thorough: true },
    testTimeout: 180_000,
    setupFiles: ['test/forget-registrations.ts'],
    env: { npm_command: '' },
    maxWorkers: '100%',
  },
});
