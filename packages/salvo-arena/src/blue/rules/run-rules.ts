import { compareNames } from 'salvo/kit/text';
import { createScope, type Reach } from '../../iac/evaluate/scope.ts';
import { codeReader } from '../../iac/read/code-reader.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { Finding } from '../../match/claims/finding.ts';
import { createCompanions } from './companions.ts';
import { conditionResult, evaluateCheck } from './evaluate-check.ts';
import { moduleResources } from './registry-modules.ts';
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
  const byType = Map.groupBy(scope.instances(), ({ type }) => type);
  const parameters = project.files.flatMap(({ file, blocks }) =>
    blocks.flatMap(({ type, labels }) => (type === 'variable' ? labels.map((name) => `${file}#${name}`) : [])),
  );
  const companions = createCompanions(byType, reader.instance, new Set(parameters));
  const surroundings = createSurroundings(project, { companions, nodeOf: reader.instance, lineIn: reader.lineIn });
  const others = project.files.flatMap((source) =>
    source.blocks.filter(({ type }) => type !== 'terraform' && type !== 'metadata').map((block) => ({ block, source })),
  );

  const created = Map.groupBy(
    others.flatMap(({ block, source: { file } }): Subject[] =>
      block.type !== 'module'
        ? []
        : moduleResources(block, reader.block(block, file)).map((it) => {
            const { type, node } = it;
            return { type, address: block.address, file, block, node, view: null, created: it, surroundings };
          }),
    ),
    ({ type }) => type,
  );

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
    return look.types.flatMap((wanted) => {
      const kind = wanted.startsWith('data.') ? 'data' : 'resource';
      const type = wanted.slice(kind === 'data' ? 'data.'.length : 0);
      const own = (byType.get(type) ?? []).flatMap((view): Subject[] => {
        if (view.kind !== kind) return [];
        const { blockAddress: address, file, block } = view;
        return [{ type, address, file, block, node: reader.instance(view), view, surroundings }];
      });
      return kind === 'data' ? own : [...own, ...(created.get(type) ?? [])];
    });
  };

  const findings: Finding[] = [];
  for (const rule of rules) {
    const seen = new Set<string>();
    const first = findings.length;
    const looks = LANGUAGES.flatMap((language) => rule[language].map((look) => ({ language, look })));
    for (const { language, look } of looks) {
      for (const subject of subjectsOf(look, language)) {
        // One finding per piece of code, even if it has many instances or its module is called twice.
        const key = `${subject.file}:${subject.block.range.start}`;
        if (seen.has(key) || (subject.view?.kind === 'data' && isIn(subject, findings.slice(first)))) continue;
        const applies = look.when.every((condition) => conditionResult(condition, subject) === 'good');
        const verdict = applies ? evaluateCheck(look.check, subject) : null;
        if (verdict?.result !== 'bad') continue;
        seen.add(key);
        // The settings of a bucket are checked with the bucket, and alone if the bucket is not in the code.
        const place = `${verdict.spot.file}:${verdict.spot.line}:${verdict.spot.text}`;
        if (seen.has(place)) continue;
        seen.add(place);
        findings.push(findingOf(rule, subject, verdict));
      }
    }
  }
  return findings.sort(byPlace);
}

const LANGUAGES: readonly CodeLanguage[] = ['terraform', 'cloudformation'];

/** Whether the flaw of a data source was already found in a resource that uses it. */
function isIn({ file, block }: Subject, findings: readonly Finding[]): boolean {
  return findings.some(
    ({ file: other, line }) => other === file && block.line <= (line ?? 0) && (line ?? 0) <= block.end_line,
  );
}

function byPlace(a: Finding, b: Finding): number {
  return (
    compareNames(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareNames(a.rule_id ?? '', b.rule_id ?? '')
  );
}

const SURE = 0.95;
/** For a resource that may not exist. */
const DOUBTFUL = 0.7;

function findingOf(rule: Rule, subject: Subject, verdict: Extract<Verdict, { result: 'bad' }>): Finding {
  const { spot, attribute, detail, owner = subject.address, involves = [] } = verdict;
  const resource = [...new Set([owner, subject.address, ...involves])];
  return {
    type: rule.category,
    resource: resource.length === 1 ? owner : resource,
    severity: rule.severity,
    title: rule.title,
    description: `${owner}: ${detail}. ${rule.description}`,
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
