import { RedTeamError } from '../red/red-team-error.ts';

const LONGEST_NAME = 200;
/** Not allowed in file names on all systems. */
const FORBIDDEN = /[\u0000-\u001f\u007f<>:"|?*\\]/;

/**
 * Throws a `RedTeamError` unless all files can be written below any folder. A model may have named them, and a name
 * such as `../../.bashrc` must never reach the disk.
 */
export function checkFileNames(names: readonly string[]): void {
  if (names.length === 0) throw fileNameError('Red delivered no code');
  const taken = new Map<string, string>();
  for (const name of names) {
    const problem = nameProblem(name);
    if (problem !== null)
      throw fileNameError(`Red named a file ${JSON.stringify(name.slice(0, LONGEST_NAME))}: ${problem}`);
    // On Windows and macOS, A.tf and a.tf are the same file.
    const other = taken.get(name.toLowerCase());
    if (other !== undefined) throw fileNameError(`Red named two files alike: ${JSON.stringify([other, name])}`);
    taken.set(name.toLowerCase(), name);
  }
  for (const name of taken.keys()) {
    const steps = name.split('/');
    for (let end = 1; end < steps.length; end += 1) {
      const folder = taken.get(steps.slice(0, end).join('/'));
      if (folder !== undefined) throw fileNameError(`Red named ${JSON.stringify(folder)} both a file and a folder`);
    }
  }
}

function nameProblem(name: string): string | null {
  if (name.length > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} characters`;
  if (FORBIDDEN.test(name)) return 'it has characters that are not allowed in file names';
  const steps = name.split('/');
  if (steps.includes('..')) return 'it leads out of the folder';
  if (steps.some((step) => step === '' || step === '.')) return 'it is not a relative path';
  return steps.some((step) => /[ .]$/.test(step)) ? 'a part of it ends with a blank or a dot' : null;
}

function fileNameError(problem: string): RedTeamError {
  return new RedTeamError(
    'RED_FILES_INVALID',
    `${problem}. Such a game cannot be played: try another seed or another Red.`,
  );
}
