import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../packages/salvo/src/store/sqlite/migrations.ts';
import { earlierVersionsContract } from './earlier-versions-contract.ts';
import { restoreFile } from './versions/restore-store.ts';

const FOLDER = path.join(import.meta.dirname, 'versions');
const VERSIONS = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));

test('there is a store of every version of the tables', () => {
  const versions = new Set(VERSIONS.map((name) => Number.parseInt(name, 10)));
  expect([...versions].sort((a, b) => a - b)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

earlierVersionsContract(VERSIONS, async (name, project) => {
  const { rows, played } = restoreFile(name, project.path('.salvo/salvo.db'), (database) => {
    const hasExperiments = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'experiments'").get();
    return {
      rows: database.prepare('SELECT run_id, verdict, exit_code FROM runs ORDER BY seq DESC').all(),
      played: hasExperiments ? database.prepare('SELECT experiment_id FROM experiments').all() : [],
    };
  });
  return {
    env: {},
    runCommand: ['run', '-n', '1'],
    runs: rows.map(({ run_id, verdict, exit_code }) => ({
      run_id: String(run_id),
      verdict: String(verdict),
      exit_code: Number(exit_code),
    })),
    experiments: played.map(({ experiment_id }) => String(experiment_id)),
    async [Symbol.asyncDispose]() {},
  };
});
