import type { RunOptions } from '../../run/record/run-record.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';

/** A file of code that is no scenario file: what a run names that a test made. */
const TEST_FILE = /(?<!\.scenario)\.[cm]?[jt]sx?$/;

interface RunOfFiles {
  run_id: string;
  scenarios: readonly { file: string }[];
  options: Pick<RunOptions, 'imported'>;
}

/** The test file that made a run; null for a run of scenario files. */
export function testFileOf({ scenarios }: Pick<RunOfFiles, 'scenarios'>): string | null {
  return scenarios.find(({ file }) => TEST_FILE.test(file))?.file ?? null;
}

/** The agent and the assertions of a test are code, which only the test can run. */
export function refuseRunOfTest(run: RunOfFiles, what: string): void {
  if (run.options.imported) {
    throw new SalvoError(
      'RUN_IS_IMPORT',
      `Run ${run.run_id} has imported conversations, so it cannot be ${what}. Import its files again to go on with it, or judge it: salvo reeval ${run.run_id} --scenario FILE.`,
    );
  }
  const file = testFileOf(run);
  if (file === null) return;
  throw new SalvoError(
    'RUN_IS_TEST',
    `Run ${run.run_id} was made by the test file ${file}, so it cannot be ${what}. Run the test again.`,
  );
}
