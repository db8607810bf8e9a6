import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeRefusal } from '../../scenario/checks/refuse-code.ts';
import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { refuseUnpermitted } from '../../text/modules/permitted-code.ts';
import { type Span, sourceText } from '../../text/source-text.ts';
import { locatedAt, problemAt } from './located.ts';

/** In a process of its own. Functions are written as their source text, under a name that no config uses. */
const PROGRAM = `
const [file, name, given] = process.argv.slice(1);
const module = await import(file);
let value = name === '' ? (module.default ?? module) : (module[name] ?? module.default?.[name]);
if (value && value.__esModule) value = value.default;
const called = given === '' ? (typeof value === 'function' ? [await value()] : [value]) : [];
if (given !== '') for (const argument of JSON.parse(given)) called.push(await value(argument));
const text = JSON.stringify(called, (_, part) => (typeof part === 'function' ? { $function: String(part) } : part));
process.send(text, () => process.exit(0));
`;

const LONGEST_MS = 30_000;
const MOST_MEMORY = '--max-old-space-size=512';
const MOST_CHARACTERS = 64 * 1024 * 1024;

export interface ExecutedModule {
  file: string;
  /** Where it is named. */
  from: Span;
  /** The exported function or value. Default: the default export. */
  name?: string | undefined;
  /** The function is called once with each of these. Default: once with nothing, if it is a function. */
  given?: readonly unknown[] | undefined;
  /** @internal For tests. */
  longestMs?: number;
}

/**
 * What a module exports or returns, as JSON: executed in a process without the variables of this one, so that no key
 * can get into a file. Refused with `--no-code`.
 */
export async function executeModule({
  file,
  from,
  name = '',
  given,
  longestMs = LONGEST_MS,
}: ExecutedModule): Promise<LocatedValue[]> {
  const refusal = codeRefusal(file);
  if (refusal) throw problemAt({ span: from }, refusal);
  refuseUnpermitted({ module: file });
  const said = await runProgram([pathToFileURL(file).href, name, given ? JSON.stringify(given) : ''], file, longestMs);
  if ('failed' in said) {
    throw problemAt({ span: from }, { code: 'scenario-code', message: `${file} ${said.failed}` });
  }
  const value: unknown = JSON.parse(said.text);
  const span = { source: sourceText({ file, text: '' }), start: 0, end: 0 };
  return (Array.isArray(value) ? value : []).map((each: unknown) => locatedAt(each, span));
}

type Said = { text: string } | { failed: string };

function runProgram(words: readonly string[], file: string, longestMs: number): Promise<Said> {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  const kept = Object.entries({ PATH, HOME, TMPDIR, SystemRoot }).filter(([, value]) => value !== undefined);
  const child = spawn(
    process.execPath,
    [MOST_MEMORY, '--no-warnings', '--input-type=module', '--eval', PROGRAM, '--', ...words],
    { cwd: dirname(file), env: Object.fromEntries(kept), stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );
  return new Promise((done) => {
    let complaint = '';
    let text: string | undefined;
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      done({ failed: `did not end within ${longestMs / 1000} seconds` });
    }, longestMs);
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      complaint = `${complaint}${chunk}`.slice(-20_000);
    });
    child.on('message', (message) => {
      if (typeof message === 'string' && message.length <= MOST_CHARACTERS) text = message;
    });
    child.on('error', ({ message }) => done({ failed: `could not be executed: ${message}` }));
    child.on('close', () => {
      clearTimeout(timer);
      const reason = /^\w*Error.*$/m.exec(complaint)?.[0] ?? 'it exports no JSON';
      done(text === undefined ? { failed: `could not be executed: ${reason}` } : { text });
    });
  });
}
