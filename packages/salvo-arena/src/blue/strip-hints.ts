import { jsonOrUndefined } from 'salvo/kit/text';
import { blankComments } from '../code/blank-comments.ts';
import { parseCode } from '../iac/syntax/parse-code.ts';
import { readYaml } from '../iac/syntax/read-yaml.ts';
import { jsonLooksLike } from '../match/importers/json-looks-like.ts';
import { neutralNames } from './neutral-names.ts';

/** Code as a Blue Team receives it, without hints. */
export type ShownCode = Awaited<ReturnType<typeof stripHints>>;

/**
 * Removes hints that are not code: comments, telling file names, and manifests beside the code. Comments that suppress
 * a scanner's rule are removed as well, so that every Blue Team looks at the same code.
 */
export async function stripHints(files: Readonly<Record<string, string>>) {
  const code = Object.fromEntries(Object.entries(files).filter(([name, text]) => !revealsFlaws(name, text)));
  const project = await parseCode(code);
  const parsed = new Map(project.files.map((source) => [source.file, source]));
  const texts = Object.entries(code).map(([name, text]): [string, string] => {
    const comments = parsed.get(name)?.comments ?? (/\.ya?ml$/i.test(name) ? readYaml(text).comments : []);
    const shown = blankComments(text, comments);
    return [name, /\.tf\.json$/i.test(name) ? shown.replaceAll(JSON_COMMENT, '$1""') : shown];
  });
  const names = neutralNames(texts);
  const realNames = new Map([...names].map(([real, shown]) => [shown, real]));
  return {
    /** By neutral name. Line numbers are those of the real files. */
    files: Object.fromEntries(texts.map(([name, text]) => [names.get(name) ?? name, text])),
    /** The real name of a shown file; undefined for any other name. */
    realName: (shown: string) => realNames.get(shown),
    /** A text about the shown code, with real names instead of neutral ones. */
    withRealNames: (text: string) =>
      text.replaceAll(/[\w./-]+/g, (word) => {
        const name = word.replace(/\.$/, '');
        return (realNames.get(name) ?? name) + word.slice(name.length);
      }),
    languages: new Set(project.files.map(({ language }) => language)),
  };
}

/** Terraform JSON has comments as well: the values of keys that are two slashes. */
const JSON_COMMENT = /("\/\/"\s{0,20}:\s{0,20})"(?:[^"\\\n]|\\.)*"/g;

/** Files that say what is wrong with the code, such as those in the folder of a game. */
function revealsFlaws(name: string, text: string): boolean {
  if (
    !/\.json$/i.test(name) ||
    !/"(?:vulnerabilities|injected_vulnerabilities|findings|f1_score|game_id)"/.test(text)
  ) {
    return /(?:^|\/)(?:twin_)?findings\.json$/i.test(name);
  }
  const value = jsonOrUndefined(text);
  return value !== undefined && (REVEALING.has(jsonLooksLike(value)) || /(?:^|\/)game\.json$/i.test(name));
}

const REVEALING: ReadonlySet<string> = new Set(['a manifest', 'a list of findings', 'a result of "salvo score"']);
