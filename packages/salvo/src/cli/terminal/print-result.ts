import { type DocumentKind, documentJson, type OtherKind } from '../../app/documents/document-kinds.ts';
import type { Look } from '../../report/terminal/look.ts';
import type { Estimate } from '../../run/estimate/estimate.ts';
import type { Terminal } from './terminal.ts';

/** How reports look on a terminal's standard output. */
export function terminalLook({ stdout, env }: Pick<Terminal, 'stdout' | 'env'>): Look {
  return { width: stdout.columns, color: stdout.color, ascii: isAscii(env) };
}

/** A terminal without escape sequences. */
export function isDumb(env: Terminal['env']): boolean {
  return env.TERM === 'dumb';
}

/** A terminal without Unicode. Without any locale, as in most containers, output is read as UTF-8. */
export function isAscii(env: Terminal['env']): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || 'C.UTF-8';
  return isDumb(env) || !/utf-?8/i.test(locale);
}

/** What a command has found: as a document of a kind, and as a text. */
export interface Result {
  json: boolean;
  kind: DocumentKind | OtherKind;
  document: object;
  text: (look: Look) => string;
}

/** Prints the result of a command: one JSON document with `--json`, otherwise the text for this terminal. */
export function printResult({ json, kind, document, text }: Result, terminal: Pick<Terminal, 'stdout' | 'env'>): void {
  terminal.stdout.write(json ? documentJson(kind, document) : text(terminalLook(terminal)));
}

/** Prints what `--estimate` asked for, and returns the exit code. Loaded only then. */
export async function printEstimate(
  estimate: Estimate,
  { json }: { json: boolean },
  terminal: Pick<Terminal, 'stdout' | 'env'>,
): Promise<number> {
  const { renderEstimate } = await import('../../report/run/terminal/estimate-report.ts');
  printResult({ json, kind: 'estimate', document: estimate, text: (look) => renderEstimate(estimate, look) }, terminal);
  return 0;
}
