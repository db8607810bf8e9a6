import { compareNames, remembered } from 'salvo/kit/text';
import type { Attribute } from '../syntax/expression.ts';
import type { CodeProject } from '../syntax/parse-code.ts';
import type { Block, SourceFile } from '../syntax/source-file.ts';

/** Something with the file that it is written in. Because of override files, a block can have parts from several. */
export interface Placed<T> {
  it: T;
  file: string;
}

/** A block with its content, including the changes of override files. */
export interface ModuleBlock {
  /** As it is written in `file`, without overrides. */
  block: Block;
  file: string;
  attributes: Map<string, Placed<Attribute>>;
  blocks: Placed<Block>[];
}

/** All files of a Terraform folder together. */
export interface TerraformModule {
  folder: string;
  /** Resources, data sources, variables, modules and outputs, by their addresses: `aws_s3_bucket.a`, `var.x`. */
  blocks: Map<string, ModuleBlock>;
  locals: Map<string, Placed<Attribute>>;
  /** The values of `terraform.tfvars` and `*.auto.tfvars`, which are used if the folder is a root. */
  values: Map<string, Placed<Attribute>>;
}

/** All folders with Terraform files, sorted by name. */
export function terraformModules(files: readonly SourceFile[]): Map<string, TerraformModule> {
  const modules = new Map<string, TerraformModule>();
  const terraform = files.filter(({ language }) => language === 'terraform');
  for (const source of terraform.toSorted((a, b) => rankOf(a.file) - rankOf(b.file) || compareNames(a.file, b.file))) {
    const folder = folderOf(source.file);
    const module = remembered(modules, folder, () => {
      return { folder, blocks: new Map(), locals: new Map(), values: new Map() };
    });
    if (isValues(source.file)) addValues(module, source);
    else for (const block of source.blocks) addBlock(module, block, source.file);
  }
  return modules;
}

/** `modules/logs` for `./modules/logs/main.tf`. */
export function folderOf(file: string): string {
  const path = file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** The folders that a `module` block of another folder calls, each with a slash at its end. */
export function calledFolders({ files }: CodeProject): Set<string> {
  return new Set(
    files.flatMap(({ file, language, blocks }) => {
      if (language !== 'terraform') return [];
      return blocks.flatMap(({ type, attributes }) => {
        const source = type === 'module' ? attributes.find(({ name }) => name === 'source')?.value : undefined;
        const folder = source?.kind === 'literal' ? localFolder(folderOf(file), String(source.value)) : null;
        return folder === null || folder === folderOf(file) ? [] : [folder === '' ? '' : `${folder}/`];
      });
    }),
  );
}

/** Only `./x` and `../x` are local folders. All other modules would have to be fetched. */
export function localFolder(from: string, source: string): string | null {
  if (!/^\.{1,2}(?:\/|$)/.test(source)) return null;
  const parts = from === '' ? [] : from.split('/');
  for (const part of source.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** Override files come last. Of several values, the last one wins. */
function rankOf(file: string): number {
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (/(?:^|_)override\.tf(?:\.json)?$/.test(name)) return 1;
  return /\.auto\.tfvars(?:\.json)?$/.test(name) ? 1 : 0;
}

function isValues(file: string): boolean {
  return /\.tfvars(?:\.json)?$/.test(file);
}

/** Other `.tfvars` files are only used if they are named on the command line. */
function addValues(module: TerraformModule, { file, attributes }: SourceFile): void {
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (!/^terraform\.tfvars(?:\.json)?$|\.auto\.tfvars(?:\.json)?$/.test(name)) return;
  for (const attribute of attributes) module.values.set(attribute.name, { it: attribute, file });
}

function addBlock(module: TerraformModule, block: Block, file: string): void {
  if (block.type === 'locals') {
    for (const attribute of block.attributes) module.locals.set(attribute.name, { it: attribute, file });
    return;
  }
  const known = module.blocks.get(block.address);
  const added = writtenContent(block, file);
  // A duplicate address is an error in Terraform, unless the second block is in an override file.
  if (!known) module.blocks.set(block.address, added);
  else if (rankOf(file) === 1) override(known, added);
}

/** The content of a block without overrides. */
export function writtenContent(block: Block, file: string): ModuleBlock {
  return {
    block,
    file,
    attributes: new Map(block.attributes.map((attribute) => [attribute.name, { it: attribute, file }])),
    blocks: block.blocks.map((nested) => ({ it: nested, file })),
  };
}

/** An attribute replaces the one of the same name; nested blocks replace all blocks of their type, `dynamic` or not. */
function override(known: ModuleBlock, added: ModuleBlock): void {
  for (const [name, attribute] of added.attributes) known.attributes.set(name, attribute);
  const replaced = new Set(added.blocks.map(({ it }) => nestedType(it)));
  known.blocks = [...known.blocks.filter(({ it }) => !replaced.has(nestedType(it))), ...added.blocks];
}

/** The type of a nested block after expansion: `ingress` for `dynamic "ingress"`. */
export function nestedType(block: Block): string {
  return block.type === 'dynamic' ? (block.labels[0] ?? '') : block.type;
}
