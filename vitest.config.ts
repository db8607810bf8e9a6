import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { PACKAGES_AS_SOURCES } from './vitest.packages.ts';

export default defineConfig({
  ...PACKAGES_AS_SOURCES,
  test: {
    include: ['packages/*/{src,web/src}/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [
      ...['test/live/**', 'test/measure/**', 'test/faults/**', 'test/installed/**', 'test/sdks/large/**'],
      '**/*.processes.test.ts',
    ],
    // They end what hangs. A busy machine may be ten times as slow as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Most of it takes a moment. On a busy machine, a second is often not enough.
    expect: { poll: { timeout: 60_000 } },
    // Loading the modules again for every file takes longer than most tests.
    isolate: false,
    globalSetup: ['test/postgres-setup.ts'],
    setupFiles: ['test/forget-registrations.ts', 'test/real-timers.ts', 'test/same-cases.ts'],
    unstubEnvs: true,
    // Salvo suggests `npx salvo` where npm has started it. Tests expect one form, however they were started.
    env: { npm_command: '' },
    // Many tests wait for a program, a browser or a database, so one more worker than there are cores keeps all busy.
    maxWorkers: availableParallelism() + 1,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['packages/*/src/**/*.test.ts'],
      reporter: ['text-summary'],
    },
  },
});
