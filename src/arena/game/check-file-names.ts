import { RedTeamError } from '../red/red-team-error.ts';

const LONGEST_NAME = 200;
/** No system takes these for part of a name, or not all do. */
const FORBIDDEN = /[\u0000-\u001f\u007f<>:"|?*\\]/;

/**
 * Throws a `RedTeamError` unless the files can be written side by side below any folder. A model may have named them, and
 * a name such as `../../.bashrc` must never get as far as the disk.
 */
export function checkFileNames(names: readonly string[]): void {
  if (names.length === 0) throw wrong('Red delivered no code');
  const taken = new Map<string, string>();
  for (const name of names) {
    const problem = problemOf(name);
    if (problem !== null) throw wrong(`Red named a file ${JSON.stringify(name.slice(0, LONGEST_NAME))}: ${problem}`);
    // Windows and macOS take A.tf and a.tf for one file.
    const other = taken.get(name.toLowerCase());
    if (other !== undefined) throw wrong(`Red named two files alike: ${JSON.stringify([other, name])}`);
    taken.set(name.toLowerCase(), name);
  }
  for (const name of taken.keys()) {
    const steps = name.split('/');
    for (let end = 1; end < steps.length; end += 1) {
      const folder = taken.get(steps.slice(0, end).join('/'));
      if (folder !== undefined) throw wrong(`Red named ${JSON.stringify(folder)} both a file and a folder`);
    }
  }
}

function problemOf(name: string): string | null {
  if (name.length > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} characters`;
  if (FORBIDDEN.test(name)) return 'it has characters that no file name may have';
  const steps = name.split('/');
  if (steps.includes('..')) return 'it leads out of the folder';
  if (steps.some((step) => step === '' || step === '.')) return 'it is no path from a folder';
  return steps.some((step) => /[ .]$/.test(step)) ? 'a part of it ends with a blank or a dot' : null;
}

function wrong(problem: string): RedTeamError {
  return new RedTeamError('RED_FILES', `${problem}. Such a game cannot be played: try another seed or another Red.`);
}
