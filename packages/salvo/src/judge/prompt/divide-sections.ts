import { textBetween } from '../../text/words/cut-text.ts';
import type { Piece, SectionContent, ShownText } from './section-content.ts';
import {
  fenceSize,
  headingSize,
  type ShownSection,
  sectionSize,
  textSize,
  titleSize,
  wholeSection,
} from './shown-part.ts';

/** How many characters two parts have in common, so that nothing is torn apart where one ends. */
const OVERLAP = 500;
/** A shorter beginning of a text is not worth a fence of its own: the text begins in the next part. */
const SHORTEST_SLICE = 2 * OVERLAP;
/** At most what ", characters 1 to 2 of 3" adds to a label of a huge text. */
const RANGE_LENGTH = 60;

/**
 * Sections as parts of about `limit` characters each. Sections that are short, such as the task, are in every part: a
 * judge needs them to understand the rest. Each part has its sections in their order. `whole` has the same sections.
 */
export function dividedSections(
  contents: readonly SectionContent[],
  whole: readonly ShownSection[],
  limit: number,
): ShownSection[][] {
  const repeated = shortSections(whole, limit / 2);
  const room = [...repeated].reduce((left, section) => left - sectionSize(section), limit);
  const pages = new Pages(room);
  for (const [index, content] of contents.entries()) {
    const section = whole[index];
    if (!section || repeated.has(section)) continue;
    for (const piece of content.pieces) for (const text of piece.texts) pages.add({ content, piece, text });
  }
  return pages.all().map((page) =>
    contents.flatMap((content, index) => {
      const section = whole[index];
      if (section && repeated.has(section)) return [section];
      const slices = page.get(content);
      return slices ? [wholeSection({ ...content, pieces: slices })] : [];
    }),
  );
}

/** The shortest sections, as long as all of them together fit in the room. */
function shortSections(sections: readonly ShownSection[], room: number): Set<ShownSection> {
  const short = new Set<ShownSection>();
  let left = room;
  for (const [section, size] of sections
    .map((each) => [each, sectionSize(each)] as const)
    .toSorted(([, a], [, b]) => a - b)) {
    left -= size;
    if (left < 0) break;
    short.add(section);
  }
  return short;
}

/** A text with its place. */
interface PlacedText {
  content: SectionContent;
  piece: Piece;
  text: ShownText;
}

type Page = Map<SectionContent, Piece[]>;

/** Fills one part after the other with texts, and cuts a text that goes beyond the end of a part. */
class Pages {
  readonly #room: number;
  readonly #pages: Page[] = [new Map()];
  #used = 0;
  /** Whether the current part has more than what it repeats of the one before. */
  #hasNews = false;
  #last: PlacedText | null = null;
  /** Where the last piece of the current part came from. */
  #openPiece: Piece | null = null;

  constructor(room: number) {
    this.#room = room;
  }

  all(): readonly Page[] {
    return this.#pages;
  }

  add(placed: PlacedText): void {
    const { length } = placed.text.text;
    let from = 0;
    for (;;) {
      const free = this.#room - this.#used - this.#sizeAround(placed);
      if (length - from <= free) {
        this.#put(placed, from, length);
        break;
      }
      const isWorthIt = free >= SHORTEST_SLICE || !this.#hasNews;
      // At least as much as brings the next part further than what it repeats.
      const end = isWorthIt ? this.#put(placed, from, Math.min(length, from + Math.max(free, SHORTEST_SLICE))) : from;
      if (end >= length) break;
      this.#turn(end === 0);
      from = Math.max(0, end - OVERLAP);
    }
    this.#last = placed;
  }

  /** Begins a new part, with the end of the last text if that does not go on in it anyway. */
  #turn(isBetweenTexts: boolean): void {
    this.#pages.push(new Map());
    this.#used = 0;
    this.#openPiece = null;
    if (isBetweenTexts && this.#last) {
      const { length } = this.#last.text.text;
      this.#put(this.#last, Math.max(0, length - OVERLAP), length);
    }
    this.#hasNews = false;
  }

  /** Returns where the slice ends. */
  #put(placed: PlacedText, from: number, to: number): number {
    const { content, piece, text } = placed;
    this.#used += this.#sizeAround(placed);
    const slice = textBetween(text.text, from, to);
    const isWhole = slice.text.length === text.text.length;
    const range = `, characters ${slice.from + 1} to ${slice.to} of ${text.text.length}`;
    const shown = isWhole ? text : { ...text, label: `${text.label}${range}`, text: slice.text };
    const page = this.#pages.at(-1) ?? new Map();
    const pieces = page.get(content) ?? [];
    page.set(content, pieces);
    const open = this.#openPiece === piece ? pieces.at(-1) : undefined;
    if (open) open.texts.push(shown);
    else pieces.push({ heading: piece.heading, texts: [shown] });
    this.#openPiece = piece;
    this.#used += slice.text.length;
    this.#hasNews = true;
    return slice.to;
  }

  /** What a text takes in the current part besides its own characters. */
  #sizeAround({ content, piece, text }: PlacedText): number {
    const title = this.#pages.at(-1)?.has(content) ? 0 : titleSize(content.title) + (content.note?.length ?? 0);
    const heading = this.#openPiece === piece ? 0 : headingSize(piece.heading ?? '');
    const fence = Math.max(fenceSize(text.label), textSize({ ...text, text: '' })) + RANGE_LENGTH * 2;
    return title + heading + fence;
  }
}
