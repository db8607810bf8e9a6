import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import { fileWithNamed, isInstalled } from '../project/named-files.ts';
import { codeContents, codeText } from './code-contents.ts';

/**
 * What the checks of a scenario in code use besides their own source: constants and functions of the same file, and the
 * files that they import, as paths and texts. The path of the scenario's own file is empty. What only the agent or a
 * mock imports is not in it: a change of the agent must not make two runs incomparable.
 */
export function checkCode({ file, functions }: LoadedScenario, root: string): [path: string, text: string][] {
  const checks = [...(functions?.checks.values() ?? [])];
  if (checks.length === 0) return [];
  const text = codeText(file);
  const words = new Set(wordsOf([...checks.flatMap((check) => [check.name, String(check)]), ...assertionsIn(text)]));
  const own = usedDeclarations(text, words);
  const imported = importedWith(text, words);
  const files = fileWithNamed(file, {
    root,
    accept: ({ how, from, written, file: named }) =>
      how === 'reference' && !isInstalled(named) && (from.file !== file || imported.has(written)),
  });
  files.delete(file);
  return [...own.map((each): [string, string] => ['', each]), ...codeContents(files, root)];
}

function wordsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
}

/** The texts behind `assertions:`, so that a check which another function makes is found, too. */
function assertionsIn(text: string): string[] {
  return [...text.matchAll(/\bassertions\s{0,20}[:=]\s{0,20}/g)].map(({ 0: key, index }) => {
    const start = index + key.length;
    if (text[start] !== '[') return /^[\w$.]{1,200}/.exec(text.slice(start, start + 200))?.[0] ?? '';
    let depth = 0;
    for (let at = start; at < text.length; at += 1) {
      if (text[at] === '[') depth += 1;
      if (text[at] === ']') depth -= 1;
      if (depth === 0) return text.slice(start, at);
    }
    return '';
  });
}

const DECLARATION = /^(?:export\s+)?(?:const|let|var|(?:async\s+)?function\*?|class)\s+([^=(<:]{1,500})/;

/** Declarations of the file that the words name, directly or through each other. Adds the words in them. */
function usedDeclarations(text: string, words: Set<string>): string[] {
  // A line at the margin begins a statement, unless it only closes one.
  const statements = text.split(/\n(?=[^\s})\]])/);
  const declared = statements.flatMap((statement) => {
    const names = DECLARATION.exec(statement)?.[1];
    // A scenario itself is compared field by field.
    return names === undefined || /\bassertions\b/.test(statement) ? [] : [{ names: wordsOf([names]), statement }];
  });
  const used = new Set<string>();
  for (let before = -1; before < used.size; ) {
    before = used.size;
    for (const { names, statement } of declared) {
      if (used.has(statement) || !names.some((name) => words.has(name))) continue;
      used.add(statement);
      for (const word of wordsOf([statement])) words.add(word);
    }
  }
  return [...used].map((statement) => statement.trim()).toSorted();
}

const IMPORT = /^import\b([^'";]{1,2000})(["'])([^"'\n]{1,300})\2/gm;
const NO_NAMES = new Set(['as', 'from', 'type']);

/** What is imported under one of the names, as it is written. */
function importedWith(text: string, words: ReadonlySet<string>): Set<string> {
  const isUsed = (clause: string) => wordsOf([clause]).some((name) => words.has(name) && !NO_NAMES.has(name));
  const found = [...text.matchAll(IMPORT)].filter(({ 1: clause = '' }) => isUsed(clause));
  return new Set(found.map(({ 3: specifier = '' }) => specifier));
}
