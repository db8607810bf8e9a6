import { characters, displayWidth, safeLine, shorten } from '../../text/safe-text.ts';

/** Breaks a safe text into lines of at most `width` columns, between words where it can. Indentation is kept. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(2, width);
  return text.split('\n').flatMap((line) => wrapLine(line, room));
}

/** The beginning of an untrusted text, in two or three lines. */
export function fewLines(text: string, width: number): string[] {
  const most = width >= 50 ? 2 : 3;
  const lines = wrap(safeLine(text, width * (most + 1)), width);
  if (lines.length <= most) return lines.filter((line) => line !== '');
  return [...lines.slice(0, most - 1), shorten(`${lines[most - 1]} …`, width)];
}

/** Safe parts with dots between them, in lines of at most `width` columns. Only a part that is wider than a line is split. */
export function joinParts(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + displayWidth(part) + 3 <= width) {
      lines[lines.length - 1] = `${last} · ${part}`;
    } else {
      lines.push(...wrap(part, width));
    }
  }
  return lines;
}

/** A safe text as an item of a list, with an arrow before its first line. */
export function bullet(text: string, width: number): string[] {
  return wrap(text, width - 2).map((line, index) => `${index === 0 ? '→ ' : '  '}${line}`);
}

/** Blocks of lines with an empty line between them. A block without lines is left out. */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line.trimEnd()];
  const indent = (/^ */.exec(line)?.[0] ?? '').slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  for (const word of line.trim().split(/(?<= )(?! )/)) {
    for (const piece of pieces(word, width - indent.length)) {
      const pieceWidth = displayWidth(piece.trimEnd());
      if (used > indent.length && used + pieceWidth > width) {
        lines.push(current.trimEnd());
        current = indent;
        used = indent.length;
      }
      current += piece;
      used += displayWidth(piece);
    }
  }
  lines.push(current.trimEnd());
  return lines;
}

/** A word that is too long for a line, in parts that fit. */
function* pieces(word: string, width: number): Generator<string> {
  if (displayWidth(word.trimEnd()) <= width) {
    yield word;
    return;
  }
  let piece = '';
  let used = 0;
  for (const character of characters(word)) {
    const characterWidth = displayWidth(character);
    if (used + characterWidth > width && piece !== '') {
      yield piece;
      piece = '';
      used = 0;
    }
    piece += character;
    used += characterWidth;
  }
  if (piece !== '') yield piece;
}
