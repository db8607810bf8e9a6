import type { TreeCursor } from 'web-tree-sitter';
import type { TextRange } from './expression.ts';

/**
 * A walk through a syntax tree that sees no comments: it puts them aside as it passes them. The tree is a tree of a
 * part of the text that begins at `offset`. Every question to the cursor goes into the parser's memory and back, which
 * costs more than all the rest: so no question is asked twice.
 */
export class SyntaxWalk {
  readonly comments: TextRange[] = [];
  private readonly cursor: TreeCursor;
  private readonly offset: number;
  private knownType: string | null = null;
  private isLast = false;

  constructor(cursor: TreeCursor, offset: number) {
    this.cursor = cursor;
    this.offset = offset;
  }

  get type(): string {
    this.knownType ??= this.cursor.nodeType;
    return this.knownType;
  }

  get start(): number {
    return this.cursor.startIndex + this.offset;
  }

  get end(): number {
    return this.cursor.endIndex + this.offset;
  }

  /** To the first child; false, and not moved, when there is none. */
  down(): boolean {
    if (!this.cursor.gotoFirstChild()) return false;
    this.moved();
    if (!this.isComment() || this.next()) return true;
    this.cursor.gotoParent();
    this.moved();
    return false;
  }

  /** To the next sibling; false, and not moved to another node that is worth looking at, when there is none. */
  next(): boolean {
    while (!this.isLast) {
      if (this.cursor.gotoNextSibling()) {
        this.moved();
        if (!this.isComment()) return true;
      } else this.isLast = true;
    }
    return false;
  }

  /** Back to the parent, past the siblings that are left. */
  up(): void {
    while (this.next());
    this.cursor.gotoParent();
    this.moved();
  }

  /** The cursor lives in the memory of the parser, where nothing is freed by itself. */
  free(): void {
    this.cursor.delete();
  }

  private moved(): void {
    this.knownType = null;
    this.isLast = false;
  }

  private isComment(): boolean {
    if (this.type !== 'comment') return false;
    this.comments.push({ start: this.start, end: this.end });
    return true;
  }
}
