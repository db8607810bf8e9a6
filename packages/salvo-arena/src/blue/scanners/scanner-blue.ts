import { join, resolve } from 'node:path';
import { splitCommandLine } from 'salvo/kit/adapters';
import { refuseUnpermitted } from 'salvo/kit/text';
import type { FindingsFormat } from '../../match/importers/findings-format.ts';
import type { BlueTeam } from '../blue-team.ts';
import { BlueTeamError } from '../blue-team-error.ts';
import { findScanner, type ScannerContext } from './find-scanner.ts';
import { createProgramBlue } from './scan-code.ts';
import { type Scanner, scannerArgs } from './scanners.ts';

/** Scanners start slowly: they load Python or download rules. */
const SCANNER_TIMEOUT_SECONDS = 300;

/** A real scanner as a Blue Team. Its program is looked for when it is first needed. */
export function createScannerBlue(
  scanner: Scanner,
  { timeoutSeconds = SCANNER_TIMEOUT_SECONDS, ...context }: ScannerContext & { timeoutSeconds?: number | undefined },
): BlueTeam {
  const { name } = scanner;
  return createProgramBlue({
    name,
    program: name,
    env: context.env,
    grants: scanner.grants,
    call({ dir, out, language }) {
      if (!scanner.languages.includes(language)) {
        const known = scanner.languages.join(' and ');
        const message = `${name} reads ${known}, not ${language}: choose another scanner.`;
        throw new BlueTeamError('SCANNER_LANGUAGE_UNKNOWN', message);
      }
      const found = findScanner(scanner, language, context);
      if ('missing' in found) throw new BlueTeamError('SCANNER_MISSING', `${name} cannot run: ${found.missing}.`);
      return {
        file: found.path,
        args: scannerArgs(scanner, { dir, out, language, rules: found.rules }),
        cwd: out,
        format: name,
        reportFile: scanner.report_file === null ? null : join(out, scanner.report_file),
        timeoutSeconds,
        advice: `Install it: ${scanner.install}.`,
      };
    },
  });
}

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
  refuseUnpermitted({ command: [file, ...args], cwd: resolve(root), env: grants });
  if (!args.some((word) => word.includes('{dir}'))) {
    const message = `The command ${JSON.stringify(command)} does not say where the code is: put {dir} where the folder belongs.`;
    throw new BlueTeamError('OPTIONS_INVALID', message);
  }
  return createProgramBlue({
    name: `command:${command}`,
    program: `The command ${file}`,
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
}
