import { blankComments } from '../../code/blank-comments.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';

const TELLING =
  /vulnerab|insecur|unsafe|misconfig|flaw|weakness|intentional|on purpose|deliberate|exploit|attack|malicious|backdoor|planted|injected|hidden|red team|should (?:be|not|use)|for testing only|do not use in prod|\bcwe-?\d|\bcve-|\bckv2?_|avd-aws|(?:checkov|tfsec|trivy|kics)[:_-](?:skip|ignore|disable)|\b(?:bad|wrong|danger|risk)/i;
const TELLING_NAME =
  /vulnerab|insecur|unsafe|misconfig|flaw|exploit|malicious|backdoor|planted|weak(?:ness)?(?=[-_.\d]|$)/i;

/**
 * Removes comments that reveal a flaw, and renames files whose names do. Line numbers do not change, so that those of
 * the manifest stay right. A file that the code refers to keeps its name. The notes say what was removed, and what
 * could not be.
 */
export async function withoutGiveAways(files: Readonly<Record<string, string>>) {
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
      return [name, blankComments(text, telling)];
    }
    if (shown !== name) {
      notes.push(`${name}: renamed to ${shown}`);
      taken.add(shown);
      renamed.set(name, shown);
    }
    return [shown, blankComments(text, telling)];
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

/** A file in a folder belongs to a module; a file that the code names must keep its name. */
function isNamedIn(code: string, name: string): boolean {
  return name.includes('/') || code.includes(name);
}
