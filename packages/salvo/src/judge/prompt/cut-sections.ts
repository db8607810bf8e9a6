import { middleCut } from '../../text/words/cut-text.ts';
import type { LeftOut } from './left-out.ts';
import type { Piece, SectionContent } from './section-content.ts';
import { pieceSize, type ShownSection, sectionSize, wholeSection } from './shown-part.ts';

/** The beginning and the end of every section that is too long, in about `total` characters; and what is left out. */
export function cutSections(
  contents: readonly SectionContent[],
  total: number,
): { sections: ShownSection[]; leftOut: LeftOut[] } {
  const sizes = contents.map((content) => sectionSize(wholeSection(content)));
  const rooms = shareOut(sizes, total);
  const leftOut: LeftOut[] = [];
  const sections = contents.map((content, index) => {
    const [size = 0, room = 0] = [sizes[index], rooms[index]];
    return size <= room ? wholeSection(content) : cutSection(content, room, leftOut);
  });
  return { sections, leftOut };
}

function cutSection(content: SectionContent, room: number, leftOut: LeftOut[]): ShownSection {
  const { title, pieces, noun, note, whenEmpty } = content;
  if (pieces.length === 0) return { title, blocks: [whenEmpty] };
  const first: Piece[] = [];
  const last: Piece[] = [];
  let left = room;
  const ends = Math.min(2, pieces.length);
  // From both ends inwards, because the beginning and the end matter most.
  for (let taken = 0; taken < pieces.length; taken += 1) {
    const fromStart = taken % 2 === 0;
    const piece = pieces[fromStart ? first.length : pieces.length - 1 - last.length];
    if (!piece) break;
    // The two ends are always shown, however little room there is.
    const shown = taken < ends ? cutPiece(piece, Math.floor(room / ends), leftOut) : piece;
    const size = pieceSize(shown);
    if (taken >= ends && size > left) break;
    left -= size;
    if (fromStart) first.push(shown);
    else last.unshift(shown);
  }
  const missing = pieces.slice(first.length, pieces.length - last.length);
  const range = `${noun}s ${first.length + 1} to ${pieces.length - last.length} of ${pieces.length}`;
  if (missing.length > 0) leftOut.push({ what: range, characters: characterCount(missing) });
  const gap = missing.length > 0 ? [`(Left out for length: ${range}.)`] : [];
  return { title, blocks: [...first, ...gap, ...last, ...(note ? [note] : [])] };
}

function cutPiece({ heading, texts }: Piece, room: number, leftOut: LeftOut[]): Piece {
  const each = Math.floor(room / Math.max(1, texts.length));
  return {
    heading,
    texts: texts.map((text) => {
      const { shown, left } = middleCut(text.text, each);
      if (left > 0) leftOut.push({ what: text.label, characters: left });
      return { ...text, text: shown };
    }),
  };
}

/** The characters of the texts themselves, without headings and fences. */
export function characterCount(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { texts }) => total + texts.reduce((sum, { text }) => sum + text.length, 0), 0);
}

/** Shares the total out equally. What small sections do not need goes to large ones. */
function shareOut(sizes: readonly number[], total: number): number[] {
  const rooms = new Array<number>(sizes.length).fill(0);
  let left = total;
  const bySize = [...sizes.entries()].sort(([, a], [, b]) => a - b);
  for (const [rank, [index, size]] of bySize.entries()) {
    const room = Math.min(size, Math.floor(left / (sizes.length - rank)));
    rooms[index] = room;
    left -= room;
  }
  return rooms;
}
