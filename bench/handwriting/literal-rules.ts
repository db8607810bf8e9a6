import { runRules } from '../../packages/salvo-arena/src/blue/rules/run-rules.ts';
import { applyEdits } from '../../packages/salvo-arena/src/iac/edit/edits.ts';
import { parseCode } from '../../packages/salvo-arena/src/iac/syntax/parse-code.ts';
import type { Finding } from '../../packages/salvo-arena/src/match/claims/finding.ts';

/**
 * What a scanner finds that reads literal values in resources only: our rules on the code without variables, locals,
 * modules, mappings, conditions, values files and override files.
 */
export async function literalFindings(files: Readonly<Record<string, string>>): Promise<Finding[]> {
  const { files: sources } = await parseCode(files);
  const kept = sources
    .filter(({ file }) => !/_override\.tf$|\.tfvars$|^modules\//.test(file))
    .map(({ file, text, blocks }): [string, string] => {
      const declared = blocks.filter(({ type }) => DECLARATIONS.has(type));
      const edits = declared.map(({ range }) => ({
        ...range,
        text: text.slice(range.start, range.end).replaceAll(/[^\n]/g, ' '),
      }));
      return [file, applyEdits(text, edits)];
    });
  return runRules(await parseCode(Object.fromEntries(kept)));
}

const DECLARATIONS: ReadonlySet<string> = new Set(['variable', 'locals', 'module', 'mappings', 'conditions']);
