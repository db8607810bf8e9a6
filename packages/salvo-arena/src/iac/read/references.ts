import type { CodeLanguage } from '../syntax/code-block.ts';
import type { Expression } from '../syntax/expression.ts';
import { type CodeProject, isInFocus } from '../syntax/parse-code.ts';
import type { Block, SourceFile } from '../syntax/source-file.ts';

/** Which resources and data sources each of them refers to, by the names in its code. */
export function referencesIn(files: readonly SourceFile[]): Map<Block, Set<Block>> {
  const placed = files.flatMap((source) => source.blocks.filter(hasAddress).map((block) => ({ source, block })));
  const byName = new Map(placed.map(({ source, block }) => [keyOf(source, nameOf(source, block)), block]));
  return new Map(
    placed.map(({ source, block }) => {
      const targets = [...namesIn(source, block)].flatMap((name) => byName.get(keyOf(source, name)) ?? []);
      return [block, new Set(targets.filter((target) => target !== block))];
    }),
  );
}

/** The addresses that each resource and data source refers to, by its own address. */
export type References = ReadonlyMap<string, ReadonlySet<string>>;

export function referencesByAddress({ files }: CodeProject): References {
  const references = new Map<string, Set<string>>();
  for (const [{ address }, targets] of referencesIn(files)) {
    const others = [...targets].map((target) => target.address).filter((other) => other !== address);
    references.set(address, new Set([...(references.get(address) ?? []), ...others]));
  }
  return references;
}

/** How often the code names a resource, apart from its declaration: where names mean the same as in `within`, if given. */
export function countReferences(project: CodeProject, address: string, within?: SourceFile): number {
  const files = project.files.filter((source) =>
    within ? scopeOfNames(source) === scopeOfNames(within) : isInFocus(project, source.file),
  );
  const isTemplate = address.includes('::');
  const name = isTemplate ? address.slice(address.lastIndexOf('.') + 1) : address;
  const [before, after] = isTemplate ? ['\\w:', '\\w'] : ['\\w.-', '\\w-'];
  const pattern = new RegExp(`(?<![${before}])${name.replaceAll(/\W/g, '\\$&')}(?![${after}])`, 'g');
  const mentions = files.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);
  // A template names a resource where it declares it. Terraform writes type and name apart there.
  return isTemplate ? mentions - 1 : mentions;
}

function hasAddress({ type }: Block): boolean {
  return type === 'resource' || type === 'data';
}

function keyOf(source: SourceFile, name: string): string {
  return `${scopeOfNames(source)}\n${name}`;
}

/** Where names are unique: within a folder in Terraform, and within a file in CloudFormation. */
export function scopeOfNames({ file, language }: Pick<SourceFile, 'file' | 'language'>): string {
  return language === 'terraform' ? file.slice(0, file.lastIndexOf('/') + 1) : file;
}

/** How other blocks refer to it: `aws_s3_bucket.data`, in CloudFormation only the name. */
function nameOf({ language }: SourceFile, { address }: Block): string {
  return language === 'terraform' ? address : address.slice(address.lastIndexOf('.') + 1);
}

function namesIn({ language, text }: SourceFile, { range }: Block): Set<string> {
  return namesInCode(language, text.slice(range.start, range.end));
}

/** Everything in a piece of code that may be the name of a block: `aws_s3_bucket.a`, `var.x`, `data.x.y`. */
export function namesInCode(language: CodeLanguage, code: string): Set<string> {
  if (language === 'cloudformation') return new Set(code.match(/[A-Za-z0-9]+/g));
  const names = new Set<string>();
  // A single character class, so that the pattern takes linear time on a megabyte without a dot.
  for (const [path] of code.matchAll(/[A-Za-z_][\w.-]*/g)) {
    if (!path.includes('.')) continue;
    const steps = path.split('.', 3);
    names.add(steps.slice(0, steps[0] === 'data' ? 3 : 2).join('.'));
  }
  return names;
}

/**
 * The data source that a policy is taken from: `data.aws_iam_policy_document.x`, and `["a"]` if it has several
 * instances. `evaluated` evaluates a key such as `each.key`; without it, such a source is not known.
 */
export function policySource(expression: Expression, evaluated: (key: Expression) => unknown = () => undefined) {
  const steps = stepsOf(expression, evaluated);
  const [kind, type, name, ...rest] = steps ?? [];
  if (kind !== 'data' || type !== 'aws_iam_policy_document' || rest.length > 2 || rest.at(-1) !== 'json') return null;
  return { address: `data.${type}.${name}`, key: rest.length > 1 ? `[${JSON.stringify(rest[0])}]` : '' };
}

function stepsOf(expression: Expression, evaluated: (key: Expression) => unknown): (string | number)[] | null {
  if (expression.kind === 'reference') return expression.steps;
  if (expression.kind !== 'traversal' || expression.base.kind !== 'reference') return null;
  const [index, last] = expression.steps;
  if (index?.kind !== 'index' || last?.kind !== 'name' || expression.steps.length !== 2) return null;
  const key = evaluated(index.index);
  return typeof key === 'string' || typeof key === 'number' ? [...expression.base.steps, key, last.name] : null;
}
