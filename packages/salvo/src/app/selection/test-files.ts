import { SalvoError } from '../../text/errors/salvo-error.ts';

/** A file of code that is no scenario file: what a run names that a test made. */
const TEST_FILE = /(?<!\.scenario)\.[cm]?[jt]sx?$/;

interface RunOfFiles {
  run_id: string;
  scenarios: readonly { file: string }[];
}

/** The test file that made a run; null for a run of scenario files. */
export function testFileOf({ scenarios }: Pick<RunOfFiles, 'scenarios'>): string | null {
  return scenarios.find(({ file }) => TEST_FILE.test(file))?.file ?? null;
}

/** The agent and the assertions of a test are code, which only the test can run. */
export function refuseRunOfTest(run: RunOfFiles, what: string): void {
  const file = testFileOf(run);
  if (file === null) return;
  throw new SalvoError(
    'RUN_IS_TEST',
    `Run ${run.run_id} was made by the test file ${file}, so it cannot be ${what}. Run the test again.`,
  );
}
