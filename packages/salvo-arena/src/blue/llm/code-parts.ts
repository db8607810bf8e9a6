import { parseCode } from '../../iac/syntax/parse-code.ts';
import { BlueTeamError } from '../blue-team-error.ts';

/** Consecutive lines of a file. */
interface CodePiece {
  file: string;
  firstLine: number;
  text: string;
  /** Shown with every part: variables and the like, which resources refer to. */
  isContext: boolean;
}

/** As much code as fits into one question. */
export interface CodePart {
  pieces: CodePiece[];
}

/** Blocks with values that other code refers to. */
const CONTEXT = new Set(['variable', 'locals', 'mappings', 'conditions']);
/** When they are more than this share of a part, they are treated like any other code. */
const CONTEXT_SHARE = 0.25;
/** More questions would cost more than a user expects. */
const MOST_PARTS = 60;

/** The code in one part if it has at most `most` characters, else in several, cut between resources. */
export async function codeParts(files: Readonly<Record<string, string>>, most: number): Promise<CodePart[]> {
  const whole = Object.entries(files).map(([file, text]) => piece(file, 1, normal(text)));
  if (sizeOf(whole) <= most) return [{ pieces: whole }];
  const pieces = await resourcePieces(files);
  const shared = pieces.filter(({ isContext }) => isContext);
  const isShared = sizeOf(shared) <= most * CONTEXT_SHARE;
  const context = isShared ? shared : [];
  const rest = isShared ? pieces.filter(({ isContext }) => !isContext) : pieces;
  const parts = packed(
    rest.map((each) => ({ ...each, isContext: false })),
    most - sizeOf(context),
  );
  if (parts.length > MOST_PARTS) {
    const message = `The code would take ${parts.length} questions, more than the ${MOST_PARTS} that are allowed. Raise maxCharacters, or look at fewer files at a time.`;
    throw new BlueTeamError('CODE_TOO_LARGE', message);
  }
  return parts.map((inside) => ({ pieces: [...context, ...joined(inside)] }));
}

function piece(file: string, firstLine: number, text: string, isContext = false): CodePiece {
  return { file, firstLine, text, isContext };
}

function normal(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '');
}

/** Includes an allowance for line numbers. */
function sizeOf(pieces: readonly CodePiece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length + 80, 0);
}

/** Every line of every file once, cut where a block begins. */
async function resourcePieces(files: Readonly<Record<string, string>>): Promise<CodePiece[]> {
  const project = await parseCode(files);
  const sources = new Map(project.files.map((source) => [source.file, source]));
  return Object.entries(files).flatMap(([file, text]) => {
    const lines = normal(text).split('\n');
    const blocks = (sources.get(file)?.blocks ?? []).toSorted((a, b) => a.line - b.line);
    const starts = [...new Set([1, ...blocks.map(({ line }) => line)])].sort((a, b) => a - b);
    const typeAt = new Map(blocks.map(({ line, type }) => [line, type]));
    return starts.map((start, index) => {
      const end = (starts[index + 1] ?? lines.length + 1) - 1;
      return piece(file, start, lines.slice(start - 1, end).join('\n'), CONTEXT.has(typeAt.get(start) ?? ''));
    });
  });
}

function packed(pieces: readonly CodePiece[], most: number): CodePiece[][] {
  const parts: CodePiece[][] = [];
  let current: CodePiece[] = [];
  let size = 0;
  for (const each of pieces.flatMap((one) => cut(one, Math.max(1000, most)))) {
    const length = sizeOf([each]);
    if (current.length > 0 && size + length > most) {
      parts.push(current);
      [current, size] = [[], 0];
    }
    current.push(each);
    size += length;
  }
  if (current.length > 0) parts.push(current);
  return parts;
}

/** Cuts a block that is too long for one part between lines, and a line that is too long anywhere. */
function cut(whole: CodePiece, most: number): CodePiece[] {
  if (sizeOf([whole]) <= most) return [whole];
  const room = most - 80;
  const pieces: CodePiece[] = [];
  let [from, text] = [whole.firstLine, ''];
  let isEmpty = true;
  const finish = () => {
    if (!isEmpty) pieces.push({ ...whole, firstLine: from, text });
  };
  for (const [index, line] of whole.text.split('\n').entries()) {
    for (let at = 0; at === 0 || at < line.length; at += room) {
      const slice = line.slice(at, at + room);
      if (isEmpty || at > 0 || text.length + slice.length + 1 > room) {
        finish();
        [from, text, isEmpty] = [whole.firstLine + index, slice, false];
      } else text += `\n${slice}`;
    }
  }
  finish();
  return pieces;
}

/** Joins adjacent pieces of one file. */
function joined(pieces: readonly CodePiece[]): CodePiece[] {
  const result: { first: CodePiece; texts: string[] }[] = [];
  let next = 0;
  for (const each of pieces) {
    const last = result.at(-1);
    if (last?.first.file === each.file && next === each.firstLine) last.texts.push(each.text);
    else result.push({ first: each, texts: [each.text] });
    next = each.firstLine + each.text.split('\n').length;
  }
  return result.map(({ first, texts }) => ({ ...first, text: texts.join('\n') }));
}
