import { programEnvironment, runProgram } from 'salvo/kit/adapters';
import { errorMessage } from 'salvo/kit/text';
import { z } from 'zod';
import { LANGUAGES } from '../../tasks/game-settings.ts';
import { findScanner, isOnDisk, type ScannerContext } from './find-scanner.ts';
import { pathVariable, SCANNERS, type Scanner } from './scanners.ts';

/** Whether a scanner can be used here. */
export const toolStatusSchema = z.object({
  name: z.string(),
  /** It can be used for at least one language. */
  available: z.boolean(),
  /** Null when the program does not report one. */
  version: z.string().nullable(),
  path: z.string().nullable(),
  /** The variable that can name its program, if it is not on the PATH. */
  path_variable: z.string(),
  /** The languages that it can be used for here. */
  languages: z.array(z.enum(LANGUAGES)),
  /** What has to be done before it can be used; null when it is ready. */
  missing: z.string().nullable(),
  /** What it lacks although it can be used: rules for a language, or rules on disk. */
  lacks: z.array(z.string()),
});

export type ToolStatus = z.infer<typeof toolStatusSchema>;

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
  const found = scanner.languages.map((language) => ({ language, ...findScanner(scanner, language, context) }));
  const usable = found.filter((each) => 'path' in each);
  const [first] = usable;
  const status: ToolStatus = {
    name: scanner.name,
    available: false,
    version: null,
    path: first?.path ?? null,
    path_variable: pathVariable(scanner),
    languages: usable.map(({ language }) => language),
    missing: null,
    lacks: [],
  };
  if (!first) return { ...status, missing: found.flatMap((each) => ('missing' in each ? each.missing : []))[0] ?? '' };
  const lacks = found.flatMap((each) =>
    'missing' in each ? [each.missing] : rulesLacking(scanner, each.rules, context),
  );
  try {
    const { stdout, stderrTail } = await runProgram({
      file: first.path,
      args: [...scanner.version_args],
      cwd: context.root,
      env: programEnvironment({ ...context.env }),
      input: '',
      maxOutputBytes: MOST_OUTPUT_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const version = /\d+\.\d+(?:\.\d+)?[\w.+-]{0,40}/.exec(`${stdout.slice(0, 2000)}\n${stderrTail}`)?.[0] ?? null;
    return { ...status, available: true, version, lacks: [...new Set(lacks)] };
  } catch (cause) {
    return { ...status, languages: [], missing: `${first.path} could not be started: ${errorMessage(cause)}` };
  }
}

function rulesLacking({ name, rules, downloads }: Scanner, found: string | null, context: ScannerContext): string[] {
  if (rules === null) return downloads === null ? [] : [`${name} downloads ${downloads}`];
  if (found === null) return [`${name} looks for its rules beside its program: set ${rules.variable} if it has none`];
  if (isOnDisk(found, context)) return [];
  return [`${name} downloads the rules ${found}: set ${rules.variable} to rules on disk to work offline`];
}
