import { compareNames } from 'salvo/kit/text';
import { scopeOfNames } from '../../../iac/read/references.ts';
import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';

/** A folder of Terraform, or a template: within it, an address means one resource. */
interface CodeUnit {
  files: string[];
  addresses: ReadonlySet<string>;
}

/** More of them would only repeat the same code with other neighbours. */
const MOST_PARTS = 12;

/**
 * Which files of a project may be edited in one game: sets of folders or templates in which no two resources have the
 * same address. A game is played on one of the sets, and all of the code is evaluated. Environments in folders of their
 * own repeat their addresses, so that each is in another set. Together the sets have all files that can be edited.
 */
export function editableParts(project: CodeProject, language: CodeLanguage): ReadonlySet<string>[] {
  const units = unitsOf(project, language);
  const parts: { files: string[]; addresses: Set<string> }[] = [];
  // Each unit is the first one of a part, unless an earlier part has it already.
  for (const first of units) {
    const isPlaced = parts.some(({ files }) => first.files.every((file) => files.includes(file)));
    if (isPlaced || parts.length >= MOST_PARTS) continue;
    const part = { files: [...first.files], addresses: new Set(first.addresses) };
    for (const unit of units) {
      if (unit === first || [...unit.addresses].some((address) => part.addresses.has(address))) continue;
      part.files.push(...unit.files);
      for (const address of unit.addresses) part.addresses.add(address);
    }
    parts.push(part);
  }
  return parts.map(({ files }) => new Set(files));
}

function unitsOf({ files }: CodeProject, language: CodeLanguage): CodeUnit[] {
  const editable = files.filter((source) => source.language === language && isEditable(source));
  const units = Map.groupBy(editable, scopeOfNames);
  return [...units]
    .sort(([a], [b]) => compareNames(a, b))
    .flatMap(([, sources]) => {
      const addresses = sources.flatMap(({ blocks }) => blocks.filter(hasAddress).map(({ address }) => address));
      return addresses.length === 0 ? [] : [{ files: sources.map(({ file }) => file), addresses: new Set(addresses) }];
    });
}

function hasAddress({ type }: Block): boolean {
  return type === 'resource' || type === 'data';
}

/** A file with errors stays as it is: what an edit would do to it cannot be proven. */
export function isEditable({ problems, blocks }: Pick<SourceFile, 'problems' | 'blocks'>): boolean {
  return problems.length === 0 && blocks.every(hasOneOfEach);
}

function hasOneOfEach({ attributes, blocks }: Block): boolean {
  return new Set(attributes.map(({ name }) => name)).size === attributes.length && blocks.every(hasOneOfEach);
}
