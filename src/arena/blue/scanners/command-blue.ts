import { splitCommandLine } from '../../../adapters/program/command-line.ts';
import type { FindingsFormat } from '../../../match/importers/findings-format.ts';
import type { BlueTeam } from '../blue-team.ts';
import { toolMetadata } from '../blue-team.ts';
import { BlueTeamError } from '../blue-team-error.ts';
import type { ScannerContext } from './find-scanner.ts';
import { scanCode } from './scan-code.ts';
import { SCANNER_TIMEOUT_SECONDS } from './scanner-blue.ts';

interface CommandOptions extends ScannerContext {
  /** `my-scanner --json {dir}`: runs without a shell, in `root`, and writes its report to stdout. */
  command: string;
  /** The format of its report; detected when missing. */
  format?: FindingsFormat | undefined;
  /** Variables that it may see, such as its token. */
  grants?: readonly string[] | undefined;
  timeoutSeconds?: number | undefined;
}

/** Any program that scans a folder and writes a report, as a Blue Team. Throws when the command has no `{dir}`. */
export function createCommandBlue(options: CommandOptions): BlueTeam {
  const { command, format = 'auto', grants = [], timeoutSeconds = SCANNER_TIMEOUT_SECONDS, env, root } = options;
  const [file = '', ...args] = splitCommandLine(command);
  if (!args.some((word) => word.includes('{dir}'))) {
    const message = `The command ${JSON.stringify(command)} does not say where the code is: put {dir} where the folder belongs.`;
    throw new BlueTeamError('BLUE_OPTIONS', message);
  }
  const name = `command:${command}`;
  return {
    name,
    async analyze(request) {
      const findings = await scanCode({
        request,
        name: `The command ${file}`,
        env,
        grants,
        call: ({ dir }) => ({
          file,
          args: args.map((word) => word.replaceAll('{dir}', () => dir)),
          cwd: root,
          format,
          reportFile: null,
          timeoutSeconds,
          advice: 'Install it, or correct the command.',
        }),
      });
      return { findings, metadata: toolMetadata(name) };
    },
  };
}
