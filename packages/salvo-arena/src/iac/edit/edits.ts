import { SalvoError } from 'salvo/kit/text';

/**
 * Replaces the text from `start` to `end`. Several edits all refer to the original text. The other files of this folder
 * make edits that keep the code well-formed.
 */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

export function insertion(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}

/** A change of code that cannot be made as requested. */
export class EditError extends SalvoError {
  constructor(message: string) {
    super('EDIT_INVALID', message);
  }
}

/** The text after all edits. Insertions at the same place keep their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of sortedEdits(text, edits)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

function sortedEdits(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let at = 0;
  for (const { start, end } of sorted) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end < start || end > text.length) {
      throw new EditError(`An edit from ${start} to ${end} is outside of a text of ${text.length}.`);
    }
    if (start < at) {
      throw new EditError(`An edit at ${start} overlaps another that goes to ${at}: apply them one by one.`);
    }
    at = end;
  }
  return sorted;
}
