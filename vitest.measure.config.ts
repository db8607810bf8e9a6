import { defineConfig } from 'vitest/config';

/** Measurements, simulations, and what `npm test` tries on samples only, thoroughly. */
export default defineConfig({
  test: {
    include: [
      'test/measure/**/*.test.ts',
      'test/fuzz/**/*.test.ts',
      'test/arena-red-llm/mutation-gate.test.ts',
      'test/match-import/fuzz.test.ts',
      'test/match/trained-matcher.test.ts',
      'src/arena/red/mutation/create-mutation-red.test.ts',
      'src/arena/red/operators/operators.test.ts',
      'src/evaluators/types/judge-verdicts.test.ts',
      'src/judge/votes/early-stop.test.ts',
      'src/match/documented/documented-matcher.test.ts',
      'src/report/run/terminal/terminal-report.test.ts',
      'src/run/verdict/early-stop.test.ts',
      'src/scenario/load-scenario.fuzz.test.ts',
    ],
    provide: { thorough: true },
    testTimeout: 180_000,
    setupFiles: ['test/forget-registrations.ts'],
    env: { npm_command: '' },
    maxWorkers: '100%',
  },
});
