import { describe, expect, it } from 'vitest';
import { allRules } from '../../src/blue/rules/rules.ts';
import { runRules } from '../../src/blue/rules/run-rules.ts';
import { applyEdits } from '../../src/iac/edit/edits.ts';
import { createScope } from '../../src/iac/evaluate/scope.ts';
import { type CodeProject, parseCode } from '../../src/iac/syntax/parse-code.ts';
import type { CodeEdit, MutationTarget } from '../../src/red/operators/operator.ts';
import { operatorsFor } from '../../src/red/operators/operators.ts';
import { allTemplates, presentBefore, templateFiles } from '../../src/templates/templates.ts';

const rules = allRules();

describe.each(['terraform', 'cloudformation'] as const)('flaws and rules of %s', (language) => {
  it('agree: a plain edit makes a rule of the same weakness fire, at the target', async () => {
    const fired = new Map<string, boolean>();
    for (const template of allTemplates().filter((one) => one.language === language)) {
      const project = await parseCode(templateFiles(template));
      const scope = createScope(project);
      const present = presentBefore(template);
      for (const operator of operatorsFor(language)) {
        const own = rules.filter((rule) => rule.weakness === operator.weakness && rule[language].length > 0);
        if (own.length === 0) continue;
        for (const target of operator.targets(project, scope)) {
          // One place is enough: some rules exempt buckets for logs, or actions that cannot be limited.
          if (fired.get(operator.id)) break;
          if (present.some((one) => one.weakness === operator.weakness && one.resource === target.address)) continue;
          const after = await edited(project, operator.apply(project, target));
          fired.set(operator.id, firesAt(target, runRules(after, { rules: own })));
        }
      }
    }
    expect(fired.size).toBeGreaterThan(150);
    expect([...fired].filter(([, isFired]) => !isFired).map(([id]) => id)).toEqual([]);
  });
});

function firesAt({ address, related }: MutationTarget, findings: ReturnType<typeof runRules>): boolean {
  const named = new Set(findings.flatMap(({ resource }) => resource ?? []));
  return [address, ...related].some((one) => named.has(one));
}

async function edited(project: CodeProject, edits: readonly CodeEdit[]): Promise<CodeProject> {
  const texts = edits.map(({ file, edits: changes }) => {
    const text = project.files.find((source) => source.file === file)?.text ?? '';
    return [file, applyEdits(text, changes)];
  });
  const { files: changed } = await parseCode(Object.fromEntries(texts));
  return { files: project.files.map((source) => changed.find(({ file }) => file === source.file) ?? source) };
}
