import type { TextRange } from '../../../iac/syntax/expression.ts';
import { parseCode } from '../../../iac/syntax/parse-code.ts';

/** Code without what would tell a reader where to look. */
export interface DiscreetCode {
  files: Record<string, string>;
  renamed: ReadonlyMap<string, string>;
  /** What was taken away, and what could not be, in words. */
  notes: string[];
}

const TELLING =
  /vulnerab|insecur|unsafe|misconfig|flaw|weakness|intentional|on purpose|deliberate|exploit|attack|malicious|backdoor|planted|injected|hidden|red team|should (?:be|not|use)|for testing only|do not use in prod|\bcwe-?\d|\bcve-|\bckv2?_|avd-aws|(?:checkov|tfsec|trivy|kics)[:_-](?:skip|ignore|disable)|\b(?:bad|wrong|danger|risk)/i;
const TELLING_NAME =
  /vulnerab|insecur|unsafe|misconfig|flaw|exploit|malicious|backdoor|planted|weak(?:ness)?(?=[-_.\d]|$)/i;

/**
 * Takes away comments that say that something is wrong, and renames files whose names do. Lines stay where they are, so
 * that the manifest's line numbers hold. A file that the code refers to keeps its name, whatever that says.
 */
export async function withoutGiveAways(files: Readonly<Record<string, string>>): Promise<DiscreetCode> {
  const { files: sources } = await parseCode(files);
  const comments = new Map(sources.map((source) => [source.file, source.comments]));
  const all = Object.values(files).join('\n');
  const taken = new Set(Object.keys(files));
  const renamed = new Map<string, string>();
  const notes: string[] = [];
  const discreet = Object.entries(files).map(([name, text]): [string, string] => {
    const telling = (comments.get(name) ?? []).filter(({ start, end }) => TELLING.test(text.slice(start, end)));
    if (telling.length > 0) notes.push(`${name}: ${telling.length} telling comment(s) taken out`);
    const shown = TELLING_NAME.test(name) ? plainName(name, taken) : name;
    if (shown !== name && isNamedIn(all, name)) {
      notes.push(`${name}: a telling name, but the code refers to it`);
      return [name, without(text, telling)];
    }
    if (shown !== name) {
      notes.push(`${name}: renamed to ${shown}`);
      taken.add(shown);
      renamed.set(name, shown);
    }
    return [shown, without(text, telling)];
  });
  return { files: Object.fromEntries(discreet), renamed, notes };
}

function plainName(name: string, taken: ReadonlySet<string>): string {
  const extension =
    /(?:_override)?(?:\.auto)?\.(?:tf\.json|tfvars\.json|tofu|tf|tfvars|ya?ml|json|template)$/i.exec(name)?.[0] ?? '';
  for (let number = 1; ; number += 1) {
    const plain = `resources-${number}${extension}`;
    if (!taken.has(plain)) return plain;
  }
}

/** A file in a folder belongs to the module there; one that is named in the code has to be found. */
function isNamedIn(code: string, name: string): boolean {
  return name.includes('/') || code.includes(name);
}

function without(text: string, ranges: readonly TextRange[]): string {
  let result = '';
  let done = 0;
  for (const { start, end } of ranges) {
    // A comment of several lines leaves as many empty ones.
    result += text.slice(done, start).replace(/[ \t]+$/, '') + text.slice(start, end).replaceAll(/[^\r\n]/g, '');
    done = end;
  }
  return result + text.slice(done);
}
