import { defineConfig } from 'vitest/config';
import { PACKAGES_AS_SOURCES } from './vitest.packages.ts';

/** Measurements, simulations, and what `npm test` tries on samples only, thoroughly. */
export default defineConfig({
  ...PACKAGES_AS_SOURCES,
  test: {
    include: [
      'test/measure/**/*.test.ts',
      'test/fuzz/**/*.test.ts',
      'packages/salvo-arena/test/arena-red-llm/mutation-gate.test.ts',
      'packages/salvo-arena/test/match-import/fuzz.test.ts',
      'packages/salvo-arena/test/match/trained-matcher.test.ts',
      'packages/salvo-arena/src/red/mutation/create-mutation-red.test.ts',
      'packages/salvo-arena/src/red/operators/operators.test.ts',
      'packages/salvo-arena/src/match/documented/documented-matcher.test.ts',
      'packages/salvo/src/evaluators/types/judge-verdicts.test.ts',
      'packages/salvo/src/judge/early-stopping.test.ts',
      'packages/salvo/src/judge/votes/early-stop.test.ts',
      'packages/salvo/src/report/run/run-text.test.ts',
      'packages/salvo/src/run/compare/p-and-interval.test.ts',
      'packages/salvo/src/run/verdict/early-stop.test.ts',
      'packages/salvo/src/scenario/load-scenario.fuzz.test.ts',
    ],
    provide: { thorough: true },
    testTimeout: 180_000,
    setupFiles: ['test/forget-registrations.ts', 'test/real-timers.ts', 'test/same-cases.ts'],
    env: { npm_command: '' },
    maxWorkers: '100%',
  },
});
