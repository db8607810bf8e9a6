import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { programEnvironment } from 'salvo/kit/adapters';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { Finding } from '../../match/claims/finding.ts';
import { normalisePath } from '../../match/importers/normalise-path.ts';
import type { ReadReport } from '../../match/read-findings.ts';
import { locateFindings } from '../../match/source/locate-in-source.ts';
import { type BlueRequest, type BlueTeam, toolMetadata } from '../blue-team.ts';
import { NotCoveredError } from '../blue-team-error.ts';
import { type ShownCode, stripHints } from '../strip-hints.ts';
import { runScanner, type ScannerRun } from './run-scanner.ts';

interface ScanningProgram {
  /** The name of the team. */
  name: string;
  /** The scanner or the command, in messages. */
  program: string;
  env: Readonly<Record<string, string | undefined>>;
  grants: readonly string[];
  call(place: { dir: string; out: string; language: CodeLanguage }): Omit<ScannerRun, 'name' | 'env' | 'signal'>;
}

/** Proxies and certificates that a scanner may need to download rules. */
const NETWORK =
  'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE'.split(
    ' ',
  );

/** A program as a Blue Team. It runs on a copy of the code; its findings have the real file names. */
export function createProgramBlue(program: ScanningProgram): BlueTeam {
  const { name } = program;
  const analyze = async (request: BlueRequest) => {
    const { findings, notJudged } = await scanCode(program, request);
    const dropped = notJudged.length > 0 ? [{ reason: 'the scanner could not judge it', count: notJudged.length }] : [];
    return { findings, metadata: { ...toolMetadata(name), dropped } };
  };
  return { name, analyze };
}

async function scanCode({ program, env, grants, call }: ScanningProgram, request: BlueRequest): Promise<ReadReport> {
  const shown = await stripHints(request.files);
  const language = request.language ?? [...shown.languages][0];
  if (language === undefined || !shown.languages.has(language)) {
    const wanted = request.language ?? 'Terraform or CloudFormation';
    throw new NotCoveredError(`There is no ${wanted} code for ${program} to look at.`);
  }
  await using copy = await copyCode(shown.files);
  const run = call({ dir: copy.dir, out: copy.out, language });
  const report = await runScanner({
    ...run,
    name: program,
    env: programEnvironment({ ...env }, [...NETWORK, ...grants]),
    signal: request.signal,
  });
  const named = report.findings.map((finding) => withRealNames(finding, copy.dir, shown));
  return { ...report, findings: await locateFindings(named, request.files) };
}

function withRealNames(finding: Finding, dir: string, shown: ShownCode): Finding {
  const plain = (text: string) => shown.withRealNames(text.replaceAll(`${dir}/`, '').replaceAll(dir, '.'));
  const texts = Object.entries(finding).map(([key, value]) => [key, typeof value === 'string' ? plain(value) : value]);
  const result: Finding = Object.fromEntries(texts);
  if (typeof finding.file === 'string') result.file = realFile(finding.file, dir, shown);
  return result;
}

/** Scanners write paths relative to the folder or to where they ran, or absolute ones: the end of the path decides. */
function realFile(path: string, dir: string, shown: ShownCode): string {
  const steps = normalisePath(path.startsWith(`${dir}/`) ? path.slice(dir.length + 1) : path).split('/');
  for (let from = 0; from < steps.length; from += 1) {
    const real = shown.realName(steps.slice(from).join('/'));
    if (real !== undefined) return real;
  }
  return normalisePath(path);
}

/** A folder with a copy of the code in `dir`, and an empty one beside it. */
interface CodeCopy extends AsyncDisposable {
  dir: string;
  out: string;
}

/** Writes files into a temporary folder, which is removed on disposal. The names are neutral and therefore safe. */
async function copyCode(files: Readonly<Record<string, string>>): Promise<CodeCopy> {
  // Tools report resolved paths, and on some systems the temporary folder is a link.
  const root = await realpath(await mkdtemp(join(tmpdir(), 'salvo-blue-')));
  const copy: CodeCopy = {
    dir: join(root, 'code'),
    out: join(root, 'out'),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
  try {
    await mkdir(copy.dir);
    await mkdir(copy.out);
    for (const [name, text] of Object.entries(files)) {
      const path = join(copy.dir, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text, { flag: 'wx' });
    }
    return copy;
  } catch (error) {
    await copy[Symbol.asyncDispose]();
    throw error;
  }
}
