import { remembered, SalvoError } from 'salvo/kit/text';
import { runRules } from '../../../blue/rules/run-rules.ts';
import type { OwnCode } from '../../../code/own-code.ts';
import { createScope, type Scope } from '../../../iac/evaluate/scope.ts';
import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import { type CodeProject, parseCode } from '../../../iac/syntax/parse-code.ts';
import type { PresentBefore } from '../../../match/claims/present-before.ts';
import { operatorsFor } from '../../operators/operators.ts';
import { blocksWithViews } from '../../operators/target-views.ts';
import { type SecureTemplate, secureTemplateFrom } from '../secure-template.ts';
import { editableParts } from './code-parts.ts';
import { findingKey, withoutModules } from './finding-key.ts';
import { plainTexts } from './line-ends.ts';

/** Code of the user, with all that Red can do in it. */
export interface SecureOwnCode {
  language: CodeLanguage;
  project: CodeProject;
  /** What is weak already. Red plants none of it there, and a finding about it is neither right nor a false alarm. */
  present: readonly PresentBefore[];
  /** How many sets of files there are; see `editableParts`. */
  parts: readonly ReadonlySet<string>[];
  /** The code with one of these sets in focus. */
  part(index: number): Promise<SecureTemplate>;
}

/** An experiment plays many games on the same code. */
const known = new WeakMap<OwnCode, Map<CodeLanguage | 'any', Promise<SecureOwnCode>>>();

/** Throws if there is no code of this language. Without a language, the one with more resources is taken. */
export function secureOwnCode(code: OwnCode, language?: CodeLanguage): Promise<SecureOwnCode> {
  const languages = remembered(known, code, () => new Map());
  return remembered(languages, language ?? 'any', () => readSecurely(code, language));
}

async function readSecurely(code: OwnCode, wanted: CodeLanguage | undefined): Promise<SecureOwnCode> {
  const files = plainTexts(code.files);
  const project = await parseCode(files);
  const language = wanted ?? mainLanguage(project);
  const parts = editableParts(project, language);
  if (parts.length === 0) throw unusable(code, project, wanted);
  const present = presentIn(project, language);
  const reported = new Set(runRules(project, { reach: 'full' }).map(findingKey));
  const secured = new Map<number, Promise<SecureTemplate>>();
  return {
    language,
    project,
    present,
    parts,
    part: (index) =>
      remembered(secured, index, () =>
        secureTemplateFrom({ id: code.name, language, files, present, focus: parts[index] ?? new Set(), reported }),
      ),
  };
}

/** The language with more resources. */
function mainLanguage({ files }: CodeProject): CodeLanguage {
  const count = (language: CodeLanguage) =>
    files.reduce(
      (sum, source) =>
        sum + (source.language === language ? source.blocks.filter(({ type }) => type === 'resource').length : 0),
      0,
    );
  return count('cloudformation') > count('terraform') ? 'cloudformation' : 'terraform';
}

function unusable({ source }: OwnCode, { files }: CodeProject, wanted: CodeLanguage | undefined): SalvoError {
  const broken = files.flatMap(({ file, problems: [first] }) =>
    first ? [`${file}:${first.line}:${first.column}: ${first.message}`] : [],
  );
  const what = wanted === undefined ? 'Terraform or CloudFormation' : LANGUAGE_NAMES[wanted];
  const why = broken.length > 0 ? ` Files with errors are left as they are: ${broken.slice(0, 3).join('; ')}.` : '';
  return new SalvoError('TEMPLATE_UNUSABLE', `${source} has no ${what} resource that can be edited.${why}`);
}

const LANGUAGE_NAMES: Record<CodeLanguage, string> = { terraform: 'Terraform', cloudformation: 'CloudFormation' };

/**
 * What our rules report of the untouched code, as it is written and as it is evaluated, and what Red itself would call
 * a flaw.
 */
export function presentIn(project: CodeProject, language: CodeLanguage): PresentBefore[] {
  const found = new Map<string, PresentBefore>();
  const add = (weakness: string, resource: string) => found.set(`${weakness} ${resource}`, { weakness, resource });
  for (const reach of ['full', 'plain'] as const) {
    for (const { rule_ids, resource } of runRules(project, { reach })) {
      const weakness = rule_ids?.[0];
      for (const address of [resource ?? []].flat()) if (weakness !== undefined) addBoth(add, weakness, address);
    }
  }
  const scope = createScope(project);
  for (const operator of operatorsFor(language)) {
    for (const address of weakIn(scope, operator)) add(operator.weakness, address);
  }
  return [...found.values()];
}

/** With and without the module that a resource is in: tools name it in both ways. */
function addBoth(add: (weakness: string, resource: string) => void, weakness: string, address: string): void {
  add(weakness, address);
  add(weakness, withoutModules(address));
}

function weakIn(scope: Scope, operator: ReturnType<typeof operatorsFor>[number]): string[] {
  return blocksWithViews(scope, operator.resourceTypes).flatMap(([address, views]) => {
    const target = { address, file: views[0]?.file ?? '', attribute: null, related: [] };
    return operator.isPresent(scope, target) ? [address] : [];
  });
}
