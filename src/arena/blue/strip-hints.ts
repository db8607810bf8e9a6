import { applyEdits, type TextEdit } from '../../iac/edit/edits.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { TextRange } from '../../iac/syntax/expression.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { readYaml } from '../../iac/syntax/read-yaml.ts';
import { jsonLooksLike } from '../../match/importers/json-looks-like.ts';
import { neutralNames } from './neutral-names.ts';

/** Code as a Blue Team gets to see it: nothing in it but code. */
export interface ShownCode {
  /** By neutral name. Every line has the number that it had. */
  files: Record<string, string>;
  /** The name that a shown file really has; undefined for a name that was never shown. */
  realName(shown: string): string | undefined;
  /** A text about the shown code with the real names in the place of the neutral ones. */
  withRealNames(text: string): string;
  languages: ReadonlySet<CodeLanguage>;
}

/**
 * Takes away what is not code but would tell: comments, file names, and manifests that lie beside the code. Comments
 * that only suppress a scanner's rule go as well, so that every Blue Team looks at the same.
 */
export async function stripHints(files: Readonly<Record<string, string>>): Promise<ShownCode> {
  const code = Object.fromEntries(Object.entries(files).filter(([name, text]) => !isAnswer(name, text)));
  const project = await parseCode(code);
  const parsed = new Map(project.files.map((source) => [source.file, source]));
  const texts = Object.entries(code).map(([name, text]): [string, string] => {
    const comments = parsed.get(name)?.comments ?? (/\.ya?ml$/i.test(name) ? readYaml(text).comments : []);
    const shown = withoutComments(text, comments);
    return [name, /\.tf\.json$/i.test(name) ? shown.replaceAll(JSON_COMMENT, '$1""') : shown];
  });
  const names = neutralNames(texts);
  const realNames = new Map([...names].map(([real, shown]) => [shown, real]));
  return {
    files: Object.fromEntries(texts.map(([name, text]) => [names.get(name) ?? name, text])),
    realName: (shown) => realNames.get(shown),
    withRealNames: (text) =>
      text.replaceAll(/[\w./-]+/g, (word) => {
        const name = word.replace(/\.$/, '');
        return (realNames.get(name) ?? name) + word.slice(name.length);
      }),
    languages: new Set(project.files.map(({ language }) => language)),
  };
}

/** Terraform JSON has comments, too: the values of keys that are two slashes. */
const JSON_COMMENT = /("\/\/"\s{0,20}:\s{0,20})"(?:[^"\\\n]|\\.)*"/g;

/** What says what is wrong with the code rather than being code: a folder of a game holds several. */
function isAnswer(name: string, text: string): boolean {
  if (
    !/\.json$/i.test(name) ||
    !/"(?:vulnerabilities|injected_vulnerabilities|findings|f1_score|game_id)"/.test(text)
  ) {
    return /(?:^|\/)findings\.json$/i.test(name);
  }
  try {
    const value: unknown = JSON.parse(text);
    return ANSWERS.has(jsonLooksLike(value)) || /(?:^|\/)game\.json$/i.test(name);
  } catch {
    return false;
  }
}

const ANSWERS: ReadonlySet<string> = new Set(['a manifest', 'a list of findings', 'a result of "salvo score"']);

function withoutComments(text: string, comments: readonly TextRange[]): string {
  return applyEdits(
    text,
    comments.map((comment) => blanked(text, comment)),
  );
}

/** Line breaks stay. What stands before a comment that ends its line loses its blanks, too. */
function blanked(text: string, { start, end }: TextRange): TextEdit {
  const breaks = text.slice(start, end).replaceAll(/[^\r\n]+/g, '');
  const endsLine = end >= text.length || /[\r\n]/.test(text.charAt(end)) || /[\r\n]$/.test(text.slice(start, end));
  if (!endsLine) return { start, end, text: breaks === '' ? ' ' : breaks };
  let from = start;
  while (from > 0 && /[ \t]/.test(text.charAt(from - 1))) from -= 1;
  return { start: from, end, text: breaks };
}
