import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { PACKAGES_AS_SOURCES } from './vitest.packages.ts';

/** Examples import what test/sdks/large/package.json installs, as if they were in that folder. */
const largePackages: Plugin = {
  name: 'large-packages',
  enforce: 'pre',
  resolveId(id, importer, options) {
    const isLarge = /^@(anthropic-ai|google|strands-agents)\//.test(id) && importer?.includes('/examples/sdks/');
    return isLarge ? this.resolve(id, resolve('test/sdks/large/from-here.ts'), options) : null;
  },
};

/** Large SDKs: `npm run test:sdks`. */
export default defineConfig({
  ...PACKAGES_AS_SOURCES,
  plugins: [largePackages],
  test: {
    include: ['test/sdks/large/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // The examples make their models when they are loaded. No test uses them.
    env: { npm_command: '', OPENAI_API_KEY: 'none', GEMINI_API_KEY: 'none' },
    unstubEnvs: true,
  },
});
