import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import { createScope, type Reach } from '../../../iac/evaluate/scope.ts';
import { codeReader } from '../../../iac/read/code-reader.ts';
import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { SourceFile } from '../../../iac/syntax/source-file.ts';
import type { Finding } from '../../../match/claims/finding.ts';
import { createCompanions } from './companions.ts';
import { evaluateCheck } from './evaluate-check.ts';
import { allRules, type Look, type Rule } from './rules.ts';
import { createSurroundings, type Subject } from './subject.ts';
import type { Verdict } from './verdict.ts';

export interface RunRulesOptions {
  /** All rules by default. */
  rules?: readonly Rule[];
  /** How far values are followed; `plain` by default. */
  reach?: Reach;
}

/**
 * The findings of our own static checks: at most one for each rule and block, sorted by file, line and rule. Of a
 * broken file, the readable parts are checked.
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
        // One finding per piece of code, even if it has many instances or its module is called twice.
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
  return found.sort(byPlace).map(({ finding }) => finding);
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

function byPlace(a: Found, b: Found): number {
  const [fileA, fileB] = [a.finding.file ?? '', b.finding.file ?? ''];
  if (fileA !== fileB) return fileA < fileB ? -1 : 1;
  const lines = (a.finding.line ?? 0) - (b.finding.line ?? 0);
  if (lines !== 0) return lines;
  return a.rule === b.rule ? 0 : a.rule < b.rule ? -1 : 1;
}

const SURE = 0.95;
/** For a resource that may not exist. */
const DOUBTFUL = 0.7;

function findingOf(rule: Rule, subject: Subject, verdict: Extract<Verdict, { result: 'bad' }>): Finding {
  const { spot, attribute, detail, involves = [] } = verdict;
  const resource = [subject.address, ...involves.filter((address) => address !== subject.address)];
  return {
    type: rule.category,
    resource: resource.length === 1 ? subject.address : resource,
    severity: rule.severity,
    title: rule.title,
    description: `${subject.address}: ${detail}. ${rule.description}`,
    evidence: spot.text,
    remediation: rule.fix,
    source: 'salvo-rules',
    confidence: subject.view?.certain === false ? DOUBTFUL : SURE,
    file: spot.file,
    line: spot.line,
    end_line: spot.end_line,
    attribute,
    rule_id: rule.id,
    rule_ids: [rule.weakness, ...rule.cwe.map((number) => `CWE-${number}`)],
  };
}
