import { readFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { maskSecrets, maskSourceLine } from 'salvo/kit/secrets';
import { compareNames, errorMessage, SalvoError } from 'salvo/kit/text';
import { agentCost, agentCostFields } from 'salvo/kit/trace';
import type { BlueOutcome } from '../../blue/blue-team.ts';
import { NotCoveredError } from '../../blue/blue-team-error.ts';
import { createIgnoreTest } from '../../blue/ignore-comments.ts';
import { LINK_OUT } from '../../code/read-code-folder.ts';
import { readCodePaths } from '../../code/read-code-paths.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import type { Finding } from '../../match/claims/finding.ts';
import { type FailOn, severityRank } from '../../match/claims/severity.ts';
import { severityOrMedium } from '../../report/sarif-parts.ts';
import { readKnownFindings, withoutKnown } from '../../report/scan/known-findings.ts';
import { countSeverities, type ScanSheet } from '../../report/scan/scan-sheet.ts';
import type { Standard } from '../../tasks/game-settings.ts';
import { type AnalyzeOptions, analyzeCode } from './analyze-code.ts';
import { standardTest } from './standards.ts';

export interface ScanCodeOptions extends AnalyzeOptions {
  /** Files and folders of infrastructure code. */
  paths: readonly string[];
  /** The mildest severity that fails the scan; `medium` if not given. */
  failOn?: FailOn | undefined;
  /** A file of known findings: only others are listed, and count. */
  known?: string | undefined;
  /** Only weaknesses that one of these standards names. */
  standards?: readonly Standard[] | undefined;
}

/** Lets a Blue look at the user's own code. Secrets in what it quotes are masked. Rejects when `signal` is aborted. */
export async function scanCode(given: ScanCodeOptions): Promise<ScanSheet> {
  const { paths, failOn = 'medium', known: knownFile, standards, ...options } = given;
  const cwd = options.cwd ?? process.cwd();
  const known = knownFile === undefined ? null : readKnownFindings(knownFile, await knownFileText(knownFile, cwd));
  const { base, files, skipped } = await readCodePaths(paths, { cwd });
  const placed = (file: string) => shownPath(resolve(base, file), cwd);
  const sheet: ScanSheet = {
    blue: options.blue ?? 'rules',
    paths: [...paths],
    files: Object.keys(files).length,
    fail_on: failOn,
    status: 'unscored',
    message: null,
    severities: countSeverities([]),
    findings: null,
    ignored: 0,
    not_covered: null,
    problems: [],
    skipped: skipped.map(({ file, reason }) => ({ file: placed(file), reason })),
    cost_usd: 0,
  };
  let outcome: BlueOutcome;
  try {
    if (sheet.files === 0) throw new NotCoveredError(`There is no infrastructure code in ${paths.join(', ')}.`);
    outcome = await analyzeCode({ files }, { ...options, blue: inFullReach(options.blue ?? 'rules') });
  } catch (error) {
    if (!(error instanceof NotCoveredError)) throw error;
    return { ...sheet, message: error.message, not_covered: withPlaces([...error.notCovered], placed) };
  }
  const { files: sources } = await parseCode(files);
  const isIgnored = createIgnoreTest(sources);
  const listed = outcome.findings
    .filter((finding) => !isIgnored(finding))
    .map((finding) => masked({ ...finding, ...(finding.file ? { file: placed(finding.file) } : {}) }))
    .sort(worstFirst);
  const problems = sources.flatMap(({ file, problems }) => problems.map((each) => ({ file: placed(file), ...each })));
  const isListed = standards ? standardTest(standards) : () => true;
  const inStandard = listed.filter(isListed);
  const { findings, ...counts } = known ? withoutKnown(inStandard, known) : { findings: inStandard };
  const isUnread = problems.length > 0 || skipped.some(({ reason }) => reason !== LINK_OUT);
  const isFailed = failOn !== 'none' && findings.some((each) => rank(each) >= severityRank(failOn));
  const { not_covered = null } = outcome.metadata;
  return {
    ...sheet,
    // Beside the code, a folder has other JSON and YAML files. A model is shown these, too.
    files: sources.length || sheet.files,
    status: isFailed ? 'failed' : isUnread ? 'unreadable' : 'passed',
    severities: countSeverities(findings),
    findings,
    ...counts,
    ...(standards && { standards: [...standards], other_findings: listed.length - inStandard.length }),
    ignored: outcome.findings.length - listed.length,
    not_covered: not_covered && withPlaces(not_covered, placed),
    problems,
    ...agentCostFields(agentCost(outcome.metadata)),
  };
}

/**
 * In a game the rules see what a reader of one file sees, so that hiding is worth something. A team wants to know what
 * its code does: here they evaluate all of it.
 */
function inFullReach(blue: string): string {
  if (blue.startsWith('command:')) return blue;
  return blue.replace(/(^|\+|:)(\s*)rules(?=\s*(?:\+|$))/g, '$1$2rules:full');
}

async function knownFileText(file: string, cwd: string): Promise<string> {
  return await readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    const message = `${file} cannot be read: ${errorMessage(cause)}. {option:writeKnown} writes a file of known findings.`;
    throw new SalvoError('FILE_INVALID', message, { cause });
  });
}

/** From the working directory if the file is below it, as code hosts expect; otherwise absolute. */
function shownPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  const isBelow = way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  return (isBelow ? join('.', way) : path).split(sep).join('/');
}

function withPlaces<Entry extends { files: string[] }>(entries: Entry[], placed: (file: string) => string): Entry[] {
  return entries.map((entry) => ({ ...entry, files: entry.files.map(placed) }));
}

function rank(finding: Finding): number {
  return severityRank(severityOrMedium(finding));
}

function worstFirst(a: Finding, b: Finding): number {
  return (
    rank(b) - rank(a) ||
    compareNames(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareNames(a.rule_id ?? '', b.rule_id ?? '')
  );
}

/** A scan of real code may find real secrets, and its report is uploaded and mailed. */
function masked(finding: Finding): Finding {
  const texts = Object.entries(finding).map(([key, value]) => {
    if (typeof value !== 'string') return [key, value];
    return [key, key === 'evidence' ? value.split('\n').map(maskSourceLine).join('\n') : maskSecrets(value)];
  });
  return Object.fromEntries(texts);
}
