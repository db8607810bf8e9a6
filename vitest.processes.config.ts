import { mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

const test = { include: ['packages/*/test/**/*.processes.test.ts', 'test/**/*.processes.test.ts'] };

/** What several processes do together: workers and their coordinator, a viewer that stops and resumes a run. */
export default mergeConfig({ ...config, test: { ...config.test, include: [], exclude: [] } }, { test });
