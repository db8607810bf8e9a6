import { defineConfig } from 'vitest/config';
import { PACKAGES_AS_SOURCES } from './vitest.packages.ts';

export default defineConfig({
  ...PACKAGES_AS_SOURCES,
  test: {
    include: ['packages/*/{src,web/src}/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/live/**', 'test/measure/**', 'test/faults/**', 'test/oldest-node/**', 'test/sdks/large/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most of it takes a moment. On a busy machine, a second is often not enough.
    expect: { poll: { timeout: 15_000 } },
    // Loading the modules again for every file takes longer than most tests.
    isolate: false,
    globalSetup: ['test/postgres-setup.ts'],
    setupFiles: ['test/forget-registrations.ts', 'test/real-timers.ts', 'test/same-cases.ts'],
    unstubEnvs: true,
    // Salvo suggests `npx salvo` where npm has started it. Tests expect one form, however they were started.
    env: { npm_command: '' },
    // Most tests wait for programs they start, so no core is kept free for the runner.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['packages/*/src/**/*.test.ts'],
      reporter: ['text-summary'],
    },
  },
});
