import { join } from 'node:path';
import type { BlueTeam } from '../blue-team.ts';
import { toolMetadata } from '../blue-team.ts';
import { BlueTeamError } from '../blue-team-error.ts';
import { findScanner, type ScannerContext } from './find-scanner.ts';
import { scanCode } from './scan-code.ts';
import type { Scanner } from './scanners.ts';

/** Scanners start slowly: they load Python or download rules. */
export const SCANNER_TIMEOUT_SECONDS = 300;

/** A real scanner as a Blue Team. Its program is looked for when it is first needed. */
export function createScannerBlue(
  scanner: Scanner,
  { timeoutSeconds = SCANNER_TIMEOUT_SECONDS, ...context }: ScannerContext & { timeoutSeconds?: number | undefined },
): BlueTeam {
  const { name } = scanner;
  return {
    name,
    async analyze(request) {
      const findings = await scanCode({
        request,
        name,
        env: context.env,
        grants: scanner.grants,
        call({ dir, out, language }) {
          if (!scanner.languages.includes(language)) {
            const known = scanner.languages.join(' and ');
            throw new BlueTeamError(
              'SCANNER_LANGUAGE',
              `${name} reads ${known}, not ${language}: choose another scanner.`,
            );
          }
          const found = findScanner(scanner, language, context);
          if ('missing' in found) {
            throw new BlueTeamError('SCANNER_MISSING', `${name} cannot run: ${found.missing}.`);
          }
          return {
            file: found.path,
            args: scanner.args({ dir, out, language, rules: found.rules }),
            cwd: out,
            format: scanner.format,
            reportFile: scanner.reportFile === null ? null : join(out, scanner.reportFile),
            timeoutSeconds,
            advice: `Install it: ${scanner.install}.`,
          };
        },
      });
      return { findings, metadata: toolMetadata(name) };
    },
  };
}
