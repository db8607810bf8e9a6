/** A run of characters in one style, and the column where it begins. */
interface Piece {
  text: string;
  column: number;
  codes: ReadonlySet<number>;
}

const COLUMN = 8.4;
const LINE = 18;
const EDGE = 16;
const TEXT = '#d4d8e0';
const BACKGROUND = '#16181d';
const COLORS: Record<number, string> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
};
/** What a code ends: 22 ends bold and dim, 39 every color. */
const ENDS: Record<number, number[]> = { 22: [1, 2], 27: [7], 39: [31, 32, 33, 34, 35, 36] };

/** What a terminal shows, as an SVG. Each piece has a fixed width, so that columns are right in every font. */
export function terminalPicture(printed: string, title: string): string {
  const lines = printed.trimEnd().split('\n').map(piecesOf);
  const columns = Math.max(80, ...lines.flat().map(({ text, column }) => column + [...text].length));
  const width = Math.ceil(columns * COLUMN + 2 * EDGE);
  const height = lines.length * LINE + 2 * EDGE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>
<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${TEXT}">
${lines
  .map((pieces, index) => pieces.map((piece) => pieceElement(piece, index)).join(''))
  .filter((line) => line !== '')
  .join('\n')}
</g>
</svg>
`;
}

/** The text of such a picture. */
export function pictureText(svg: string): string {
  const lines: string[] = [];
  for (const [, x, y, text = ''] of svg.matchAll(/<text x="([\d.]+)" y="(\d+)"[^>]*>([^<]*)<\/text>/g)) {
    const column = Math.round((Number(x) - EDGE) / COLUMN);
    const line = Math.floor((Number(y) - EDGE) / LINE);
    while (lines.length <= line) lines.push('');
    lines[line] = (lines[line] ?? '').padEnd(column) + unescaped(text);
  }
  return `${lines.join('\n')}\n`;
}

function piecesOf(line: string): Piece[] {
  const codes = new Set<number>();
  const pieces: Piece[] = [];
  let column = 0;
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
    if (code === undefined) {
      // Spaces are left out: they would only make the file larger.
      for (const { 0: text, index } of part.matchAll(/\S+(?: \S+)*/g)) {
        pieces.push({ text, column: column + [...part.slice(0, index)].length, codes: new Set(codes) });
      }
      column += [...part].length;
      continue;
    }
    for (const ended of ENDS[Number(code)] ?? []) codes.delete(ended);
    if (ENDS[Number(code)] === undefined) codes.add(Number(code));
  }
  return pieces;
}

function pieceElement({ text, column, codes }: Piece, line: number): string {
  const x = EDGE + column * COLUMN;
  const y = EDGE + line * LINE;
  const length = [...text].length * COLUMN;
  const color = [...codes].map((code) => COLORS[code]).find((found) => found !== undefined);
  const inverse = codes.has(7);
  const box = `<rect x="${round(x)}" y="${y}" width="${round(length)}" height="${LINE}" fill="${color ?? TEXT}"/>`;
  const attributes = [
    `x="${round(x)}" y="${y + 13}" textLength="${round(length)}" lengthAdjust="spacingAndGlyphs"`,
    ...(inverse ? [`fill="${BACKGROUND}"`] : color === undefined ? [] : [`fill="${color}"`]),
    ...(codes.has(1) ? ['font-weight="bold"'] : []),
    ...(codes.has(2) ? ['opacity="0.6"'] : []),
  ];
  return `${inverse ? box : ''}<text ${attributes.join(' ')}>${escaped(text)}</text>`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
