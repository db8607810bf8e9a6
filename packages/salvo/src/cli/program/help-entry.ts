/** What the help of a command says besides its options. */
export interface CommandHelp {
  /** The heading above it in `salvo --help`. */
  group: string;
  /** Command lines, each with what it does where the line does not say it. Tests parse them. */
  examples: [line: string, what?: string][];
  notes?: string;
  exitCodes: Partial<Record<0 | 1 | 2 | 3, string>>;
}

/** The groups of commands in `salvo --help`. */
export const GROUPS = {
  agents: 'Test agents:',
  judge: 'Test the judge of a rubric:',
  other: 'Other commands:',
};

/** The exit codes of runs. */
export const SCORED = { 0: 'pass', 1: 'fail', 2: 'a required assertion failed', 3: 'could not be scored' };
export const PRINTED = { 0: 'printed' };

export function exitCodes(meanings: CommandHelp['exitCodes']): string {
  const lines = Object.entries(meanings).map(([code, meaning]) => `  ${code}  ${meaning}\n`);
  return `Exit codes:\n${lines.join('')}  4  wrong usage or input`;
}
