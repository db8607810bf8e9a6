import type { TreeCursor } from 'web-tree-sitter';
import type { TextRange } from './expression.ts';

/**
 * A walk through a syntax tree that skips comments and collects them. The tree is of a part of the text that begins at
 * `offset`. Every call of the cursor crosses into WebAssembly, which takes most of the time: so no call is made twice.
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

  get range(): TextRange {
    return { start: this.start, end: this.end };
  }

  /** Goes through the children, and back to this node. */
  forEachChild(visit: () => void): void {
    if (!this.down()) return;
    do visit();
    while (this.next());
    this.up();
  }

  /** To the first child. False, without moving, if there is none. */
  down(): boolean {
    if (!this.cursor.gotoFirstChild()) return false;
    this.moved();
    if (!this.isComment() || this.next()) return true;
    this.cursor.gotoParent();
    this.moved();
    return false;
  }

  /** To the next sibling. False if there is none; then only `up` may follow. */
  next(): boolean {
    while (!this.isLast) {
      if (this.cursor.gotoNextSibling()) {
        this.moved();
        if (!this.isComment()) return true;
      } else this.isLast = true;
    }
    return false;
  }

  /** Back to the parent, skipping the remaining siblings. */
  up(): void {
    while (this.next());
    this.cursor.gotoParent();
    this.moved();
  }

  /** The cursor is in WebAssembly memory, which is not garbage-collected. */
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
