import { programEnvironment } from '../../../adapters/program/program-environment.ts';
import { runProgram } from '../../../adapters/program/run-program.ts';
import { errorMessage } from '../../../text/salvo-error.ts';
import { findScanner, type ScannerContext } from './find-scanner.ts';
import { SCANNERS, type Scanner } from './scanners.ts';

/** Whether a scanner can be used here. */
export interface ToolStatus {
  name: string;
  available: boolean;
  /** Null when the program does not report one. */
  version: string | null;
  path: string | null;
  /** What has to be done before it can be used; null when it is ready. */
  missing: string | null;
}

const TIMEOUT_MS = 20_000;
const MOST_OUTPUT_BYTES = 64 * 1024;

/** Looks for every scanner that Salvo knows, and asks the installed ones for their version. */
export function checkTools({
  env = process.env,
  root = process.cwd(),
}: Partial<ScannerContext> = {}): Promise<ToolStatus[]> {
  return Promise.all(SCANNERS.map((scanner) => scannerStatus(scanner, { env, root })));
}

async function scannerStatus(scanner: Scanner, context: ScannerContext): Promise<ToolStatus> {
  const { name } = scanner;
  const found = findScanner(scanner, scanner.languages[0] ?? 'terraform', context);
  if ('missing' in found) return { name, available: false, version: null, path: null, missing: found.missing };
  try {
    const { stdout, stderrTail } = await runProgram({
      file: found.path,
      args: [...scanner.versionArgs],
      cwd: context.root,
      env: programEnvironment({ ...context.env }),
      input: '',
      maxOutputBytes: MOST_OUTPUT_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const version = /\d+\.\d+(?:\.\d+)?[\w.+-]{0,40}/.exec(`${stdout.slice(0, 2000)}\n${stderrTail}`)?.[0] ?? null;
    return { name, available: true, version, path: found.path, missing: null };
  } catch (cause) {
    const missing = `${found.path} could not be started: ${errorMessage(cause)}`;
    return { name, available: false, version: null, path: found.path, missing };
  }
}
