import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { PresentBefore } from '../../match/claims/present-before.ts';
import type { SeededChoice } from '../seeded-choice.ts';
import { allTemplates, type Template } from '../templates.ts';
import { assemble } from './assemble.ts';
import { drawAccount, words } from './drawn-values.ts';
import { optionalGroups } from './optional-groups.ts';
import { type Piece, type PieceBlock, pieceOf, withoutBlocks } from './piece.ts';
import { drawVocabulary } from './rename.ts';
import { type GeneratedBlock, rewritePiece } from './rewrite-piece.ts';

/** Secure code that was generated from templates of this package. */
export interface GeneratedCode {
  /** The template that the task asks for. */
  id: string;
  language: CodeLanguage;
  files: Record<string, string>;
  present: PresentBefore[];
  /** From addresses of the code to the templates and addresses that they come from. */
  origins: ReadonlyMap<string, Origin>;
}

export interface Origin {
  template: string;
  address: string;
}

export interface GenerationOptions {
  /** How many resources, about. */
  size: number;
  /** Templates that are taken as they are, except for their names. */
  cautious: ReadonlySet<string>;
  choice: SeededChoice;
}

/** Code for a task: its template, and parts of others until it has the wanted size, all under drawn names. */
export async function generateCode(template: Template, options: GenerationOptions): Promise<GeneratedCode> {
  const { choice, cautious } = options;
  const chosen = await choosePieces(template, options);
  const taken = new Set<string>();
  const nouns = new Set<string>();
  const organisation = choice.one(words().organisations) ?? 'contoso';
  const account = drawAccount(choice);
  const blocks = chosen.flatMap(({ piece, kept }) => {
    const vocabulary = drawVocabulary(choice, organisation, nouns);
    const isCautious = cautious.has(piece.template.id);
    const made = rewritePiece(piece, kept, { vocabulary, choice, taken, account, isCautious });
    return made.map((block) => ({ block, piece }));
  });
  const origins = new Map(
    blocks.map(({ block, piece }) => [block.address, { template: piece.template.id, address: block.origin }]),
  );
  const present = blocks.flatMap(({ block, piece }) => presentAt(block, piece));
  const { id, language } = template;
  return {
    id,
    language,
    files: assemble(
      language,
      sharedOnce(
        blocks.map(({ block }) => block),
        choice,
      ),
      choice,
    ),
    present,
    origins,
  };
}

function presentAt({ address, origin }: GeneratedBlock, { present }: Piece): PresentBefore[] {
  return present.filter(({ resource }) => resource === origin).map(({ weakness }) => ({ weakness, resource: address }));
}

/** The default of the environment's name is the same everywhere. */
function sharedOnce(blocks: readonly GeneratedBlock[], choice: SeededChoice): GeneratedBlock[] {
  const name = choice.one(['prod', 'production', 'live', 'main', 'stable']) ?? 'prod';
  return blocks.map((block) =>
    /(?:^|\.)environment$/i.test(block.address) ? { ...block, code: block.code.replace(/\bprod\b/, name) } : block,
  );
}

async function choosePieces(template: Template, { size, choice, cautious }: GenerationOptions) {
  const others = allTemplates().filter((one) => one.language === template.language && one.id !== template.id);
  const chosen: { piece: Piece; kept: PieceBlock[] }[] = [];
  let count = 0;
  for (const one of [template, ...choice.shuffled(others)]) {
    if (count >= size) break;
    const piece = await pieceOf(one);
    const kept = withoutBlocks(piece, cautious.has(one.id) ? new Set() : droppedOf(piece, size - count, choice));
    count += kept.filter(({ block }) => block.type === 'resource').length;
    chosen.push({ piece, kept });
  }
  return chosen;
}

/** Some of the resources that the others do not need; more of them if the code would be too large. */
function droppedOf(piece: Piece, room: number, choice: SeededChoice): Set<string> {
  const dropped = new Set<string>();
  const groups = choice.shuffled(optionalGroups(piece.template.id));
  for (const name of groups) {
    const isTooLarge = piece.resources - dropped.size > room;
    if (isTooLarge || choice.between(1, 3) === 1) dropped.add(name);
  }
  return dropped;
}
