import { createFence, type Fence } from '../../models/ask/fence.ts';
import type { Piece, SectionContent, ShownText } from './section-content.ts';

/** A section as it is shown. A block that is a sentence is ours: it is outside of the fences. */
export interface ShownSection {
  title: string;
  blocks: (Piece | string)[];
}

/** What one question to the judge shows of a trial. */
export interface ShownPart {
  /** Which part of the material it is, and how to judge a part; null when it is all that is shown. */
  note: string | null;
  sections: ShownSection[];
}

/** Everything that the agent, its tools or its user wrote is inside the fence. */
export function renderPart({ note, sections }: ShownPart, fence: Fence): string {
  const rendered = sections.map(({ title, blocks }) => {
    const shown = blocks.map((block) => (typeof block === 'string' ? block : renderPiece(block, fence)));
    return `## ${title}\n${shown.join('\n\n')}`;
  });
  return [...(note === null ? [] : [note]), ...rendered].join('\n\n');
}

/** A section with all its pieces. */
export function wholeSection({ title, pieces, whenEmpty, note }: SectionContent): ShownSection {
  const blocks = pieces.length === 0 ? [whenEmpty] : [...pieces, ...(note ? [note] : [])];
  return { title, blocks };
}

/** The length of a section when it is rendered. */
export function sectionSize({ title, blocks }: ShownSection): number {
  return blocks.reduce<number>(
    (total, block) => total + BETWEEN + (typeof block === 'string' ? block.length : pieceSize(block)),
    titleSize(title),
  );
}

export function titleSize(title: string): number {
  return title.length + '## \n'.length + BETWEEN;
}

export function pieceSize({ heading, texts }: Piece): number {
  return texts.reduce((total, text) => total + textSize(text), heading === undefined ? 0 : headingSize(heading));
}

export function headingSize(heading: string): number {
  return heading.length + '### \n'.length;
}

export function textSize({ label, text, whenEmpty }: ShownText): number {
  if (isBlank(text)) return label.length + whenEmpty.length + ': \n'.length;
  return text.length + fenceSize(label);
}

/** The fence around a text, with its label at both ends. */
export function fenceSize(label: string): number {
  return EMPTY_FENCE + 2 * label.length + 1;
}

const BETWEEN = '\n\n'.length;
const EMPTY_FENCE = createFence('0123456789abcdef').wrap('', '').length;

function renderPiece({ heading, texts }: Piece, fence: Fence): string {
  const blocks = texts.map(({ label, text, whenEmpty }) =>
    // That a text is empty is said outside the fence, where the agent cannot write.
    isBlank(text) ? `${label}: ${whenEmpty}` : fence.wrap(label, text),
  );
  return [...(heading ? [`### ${heading}`] : []), ...blocks].join('\n');
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
