import { remembered } from 'salvo/kit/text';
import { namesInCode } from '../../iac/read/references.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import { presentBefore, type Template, templateFiles } from '../templates.ts';

/** A top-level block of a template. */
export interface PieceBlock {
  source: SourceFile;
  block: Block;
  /** As other blocks refer to it: `aws_s3_bucket.data`, `var.x`, `data.x.y`; in CloudFormation only the name. */
  name: string;
  /** The names of the blocks of this template that it refers to. */
  uses: ReadonlySet<string>;
}

/** A template of this package as source of generated code. */
export interface Piece {
  template: Template;
  language: CodeLanguage;
  blocks: readonly PieceBlock[];
  resources: number;
  present: readonly { weakness: string; resource: string }[];
}

const pieces = new Map<string, Promise<Piece>>();

export function pieceOf(template: Template): Promise<Piece> {
  return remembered(pieces, template.id, () => readPiece(template));
}

async function readPiece(template: Template): Promise<Piece> {
  const { language } = template;
  const { files } = await parseCode(templateFiles(template));
  const placed = files.flatMap((source) =>
    source.blocks.map((block) => ({ source, block, name: nameOf(language, block) })),
  );
  const declared = new Map(placed.flatMap(({ block, name }) => declaredNames(block, name).map((one) => [one, name])));
  const blocks = placed.map(({ source, block, name }) => {
    const code = source.text.slice(block.range.start, block.range.end);
    const used = [...namesInCode(language, code)].flatMap((one) => declared.get(one) ?? []);
    return { source, block, name, uses: new Set(used.filter((one) => one !== name)) };
  });
  const resources = blocks.filter(({ block }) => block.type === 'resource').length;
  return { template, language, blocks, resources, present: presentBefore(template) };
}

function nameOf(language: CodeLanguage, { address, labels, type }: Block): string {
  if (language === 'cloudformation') return labels.at(-1) ?? type;
  return type === 'locals' || type === 'terraform' ? type : address;
}

/** A block of local values declares each of them. */
export function declaredNames({ type, attributes }: Block, name: string): string[] {
  return type === 'locals' ? attributes.map((one) => `local.${one.name}`) : [name];
}

/**
 * The blocks that are left if some are dropped: without everything that refers to a dropped one, and without variables
 * and data sources that nothing refers to any more.
 */
export function withoutBlocks(piece: Piece, dropped: ReadonlySet<string>): PieceBlock[] {
  const gone = new Set(dropped);
  for (let before = -1; gone.size > before; ) {
    before = gone.size;
    for (const { name, uses } of piece.blocks) if ([...uses].some((one) => gone.has(one))) gone.add(name);
  }
  let kept = piece.blocks.filter(({ name }) => !gone.has(name));
  for (let before = -1; kept.length !== before; ) {
    before = kept.length;
    const used = new Set(kept.flatMap(({ uses }) => [...uses]));
    kept = kept.filter(({ name, block }) => !DECLARATIONS.has(block.type) || used.has(name) || isAlwaysKept(name));
  }
  return kept;
}

const DECLARATIONS: ReadonlySet<string> = new Set(['variable', 'data', 'locals']);

function isAlwaysKept(name: string): boolean {
  return name === 'var.environment' || name === 'Environment';
}
