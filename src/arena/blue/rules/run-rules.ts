import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import { createScope, type Reach } from '../../../iac/evaluate/scope.ts';
import { codeReader } from '../../../iac/read/code-reader.ts';
import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { SourceFile } from '../../../iac/syntax/source-file.ts';
import type { Finding } from '../../../match/claims/finding.ts';
import { createCompanions } from './companions.ts';
import { evaluateCheck } from './evaluate-check.ts';
import { findingOf } from './finding-of.ts';
import type { Look, Rule } from './rule.ts';
import { allRules } from './rules.ts';
import type { Subject } from './subject.ts';
import { createSurroundings } from './surroundings.ts';

export interface RunRulesOptions {
  /** Instead of all of them. */
  rules?: readonly Rule[];
  /** How far values are followed; a plain look when missing. */
  reach?: Reach;
}

/**
 * What our own static checks find: at most one finding for each rule and block, in the order of files, lines and rules.
 * Code that does not parse is looked at as far as it does.
 */
export function runRules(
  project: CodeProject,
  { rules = allRules(), reach = 'plain' }: RunRulesOptions = {},
): Finding[] {
  const scope = createScope(project, { reach });
  const reader = codeReader(scope);
  const byType = new Map<string, BlockView[]>();
  for (const view of scope.instances()) {
    const views = byType.get(view.type);
    if (views) views.push(view);
    else byType.set(view.type, [view]);
  }
  const companions = createCompanions(byType, reader.instance);
  const surroundings = createSurroundings(project, { companions, lineIn: reader.lineIn });
  const others = project.files.flatMap((source) => blocksOf(source).map((block) => ({ block, source })));

  const subjectsOf = (look: Look, language: CodeLanguage): Subject[] => {
    if (look.types.includes('*') || look.types.some((type) => type.startsWith('provider.'))) {
      return others.flatMap(({ block, source: { file, language: own } }) => {
        const type = block.type === 'resource' ? (block.labels[0] ?? '') : block.type;
        const wanted = look.types.includes('*') ? !look.except.includes(type) : look.types.includes(block.address);
        if (own !== language || !wanted) return [];
        const node = reader.block(block, file);
        return [{ type, address: block.address, file, block, node, view: null, surroundings }];
      });
    }
    return look.types.flatMap((type) =>
      (byType.get(type) ?? []).flatMap((view) => {
        if (view.kind !== 'resource') return [];
        const { blockAddress: address, file, block } = view;
        return [{ type, address, file, block, node: reader.instance(view), view, surroundings }];
      }),
    );
  };

  const found: { finding: Finding; rule: string }[] = [];
  for (const rule of rules) {
    const seen = new Set<string>();
    for (const { language, look } of looksOf(rule)) {
      for (const subject of subjectsOf(look, language)) {
        // A module that is called twice, or a resource with many instances, is still one piece of code.
        const key = `${subject.file}:${subject.block.range.start}`;
        if (seen.has(key)) continue;
        const applies = look.when.every((check) => evaluateCheck(check, subject).result === 'good');
        const verdict = applies ? evaluateCheck(look.check, subject) : null;
        if (verdict?.result !== 'bad') continue;
        seen.add(key);
        found.push({ finding: findingOf(rule, subject, verdict), rule: rule.id });
      }
    }
  }
  return found.sort(inOrder).map(({ finding }) => finding);
}

function looksOf(rule: Rule): { language: CodeLanguage; look: Look }[] {
  const { terraform, cloudformation } = rule;
  return [
    ...terraform.map((look) => ({ language: 'terraform' as const, look })),
    ...cloudformation.map((look) => ({ language: 'cloudformation' as const, look })),
  ];
}

function blocksOf({ blocks }: SourceFile): SourceFile['blocks'] {
  return blocks.filter(({ type }) => type !== 'terraform' && type !== 'metadata');
}

type Found = { finding: Finding; rule: string };

function inOrder(a: Found, b: Found): number {
  const [fileA, fileB] = [a.finding.file ?? '', b.finding.file ?? ''];
  if (fileA !== fileB) return fileA < fileB ? -1 : 1;
  const lines = (a.finding.line ?? 0) - (b.finding.line ?? 0);
  if (lines !== 0) return lines;
  return a.rule === b.rule ? 0 : a.rule < b.rule ? -1 : 1;
}
