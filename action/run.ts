import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type CheckedResult, checkResult } from './check-result.ts';
import { BaselineUnavailable, fetchBaseline } from './fetch-baseline.ts';
import { findSalvo } from './find-salvo.ts';
import { readEventFile } from './pull-request.ts';
import { sarifFromRepository } from './sarif-paths.ts';
import { splitWords } from './split-words.ts';
import { addToSummary, annotate, setOutputs } from './workflow-output.ts';

const COMMANDS = ['run', 'merge', 'score', 'scan', 'game'];
const WITH_SARIF = ['score', 'scan', 'game'];
/** Commands that do not write to the page of the workflow run themselves. */
const WITHOUT_SUMMARY = ['score', 'scan'];
/** The folder for parts, in the folder of the project. */
const PARTS = 'salvo-parts';

const { env } = process;
const workspace = resolve(env.GITHUB_WORKSPACE ?? '.');
const folder = resolve(workspace, env.SALVO_WORKING_DIRECTORY || '.');
const scratch = mkdtempSync(join(env.RUNNER_TEMP ?? tmpdir(), 'salvo-'));

try {
  main();
} catch (error) {
  // The step `Verdict` fails the job.
  annotate('error', error instanceof Error ? error.message : String(error));
  setOutputs({ 'exit-code': error instanceof BaselineUnavailable ? '3' : '4' }, env);
}

function main(): void {
  const command = oneOf('command', env.SALVO_COMMAND || 'run', COMMANDS);
  oneOf('fail-on', env.SALVO_FAIL_ON || 'any', ['any', 'none']);
  const words = splitWords(env.SALVO_ARGS ?? '');
  if (words.includes('--json') || words.includes('--markdown')) {
    throw new Error('args: the Action uses --json and --markdown itself. Its output `summary` is the Markdown file.');
  }
  const salvo = findSalvo({ folder, workspace }, env.SALVO_PACKAGE ?? '', env);
  if (env.SALVO_ACTION_SHARD) runShard(salvo, command, words);
  else runCommand(salvo, command, words);
}

function runCommand(salvo: string, command: string, words: string[]): void {
  const sarif = sarifFile(command);
  const markdown = join(scratch, 'summary.md');
  const args = [
    command,
    ...words,
    '--json',
    ...(sarif === null ? [] : ['--sarif', sarif]),
    ...(command === 'game' ? [] : ['--markdown', markdown]),
    ...against(command),
  ];
  // Standard error has the progress and the annotations, which GitHub reads from the log.
  const { status, stdout, error } = spawnSync(salvo, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1024 * 1024 * 1024,
  });
  if (error && status === null) annotate('error', error.message);
  const result = checkResult({ command, exitCode: status, stdout });
  // For the log: standard output was the document.
  if (result.runId !== '') call(salvo, ['report', result.runId]);
  const checked = result.exitCode === 0 && sarif !== null && !existsSync(sarif) ? withoutSarif(result) : result;
  if (checked.problem !== null) {
    annotate('error', `${checked.problem} The exit code is ${checked.exitCode}.`);
    addToSummary(`**Salvo: ${checked.problem}** Exit code ${checked.exitCode}.`, env);
  }
  if (WITHOUT_SUMMARY.includes(command) && existsSync(markdown)) addToSummary(readFileSync(markdown, 'utf8'), env);
  setOutputs(
    {
      'exit-code': String(checked.exitCode),
      verdict: checked.verdict,
      'run-id': checked.runId,
      summary: existsSync(markdown) ? markdown : '',
      sarif: sarif !== null && existsSync(sarif) ? uploadable(sarif) : '',
    },
    env,
  );
}

/** A shard has no verdict: it succeeds when all its trials ran and its part is there. */
function runShard(salvo: string, command: string, words: string[]): void {
  if (command !== 'run') throw new Error('shard: only the command run can be divided.');
  const [shard, index, count] = /^(\d+)\/(\d+)$/.exec(env.SALVO_ACTION_SHARD ?? '') ?? [];
  if (shard === undefined) throw new Error('shard: give a part such as 2/4.');
  const part = resolve(folder, PARTS, `salvo-part-${index}-of-${count}.jsonl`);
  rmSync(part, { force: true });
  const status = call(salvo, ['run', ...words, '--shard', shard, '--out', PARTS]) ?? 3;
  const isThere = existsSync(part);
  if (status === 0 && !isThere) annotate('error', `The shard wrote no part: ${part}.`);
  setOutputs({ 'exit-code': String(status === 0 && !isThere ? 3 : status), part: isThere ? part : '' }, env);
}

function call(salvo: string, args: string[]): number | null {
  return spawnSync(salvo, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] }).status;
}

function sarifFile(command: string): string | null {
  const name = env.SALVO_SARIF ?? '';
  if (name === '') return null;
  if (!WITH_SARIF.includes(command)) throw new Error(`sarif: ${command} writes none; ${WITH_SARIF.join(', ')} do.`);
  const file = resolve(folder, name);
  // What an earlier step left must not be uploaded as the result of this one.
  rmSync(file, { force: true });
  return file;
}

function withoutSarif(result: CheckedResult): CheckedResult {
  return { ...result, exitCode: 3, problem: 'The SARIF file was not written.' };
}

function uploadable(sarif: string): string {
  const file = join(scratch, 'upload.sarif');
  const inRepository = relative(workspace, folder).replaceAll('\\', '/');
  writeFileSync(file, sarifFromRepository(readFileSync(sarif, 'utf8'), inRepository));
  return file;
}

function against(command: string): string[] {
  const path = env.SALVO_BASELINE ?? '';
  if (path === '') return [];
  if (command !== 'run' && command !== 'merge') throw new Error('baseline: only run and merge are compared with one.');
  const branch = env.SALVO_BASELINE_BRANCH || readEventFile(env.GITHUB_EVENT_PATH).targetBranch;
  const { file, notice } = fetchBaseline({ path, branch, folder, scratch });
  if (notice !== null) annotate('notice', notice);
  return file === null ? [] : ['--against', file];
}

function oneOf(input: string, value: string, choices: readonly string[]): string {
  if (choices.includes(value)) return value;
  throw new Error(`${input}: ${JSON.stringify(value)} is none of ${choices.join(', ')}.`);
}
