import { applyEdits, type TextEdit } from '../../iac/edit/edits.ts';
import type { SeededChoice } from '../seeded-choice.ts';
import { drawNetwork, words } from './drawn-values.ts';
import { declaredNames, type Piece, type PieceBlock } from './piece.ts';
import { drawLabel, inOtherWords, type Vocabulary } from './rename.ts';
import { valueEdits } from './safe-values.ts';

/** A block of the generated code. */
export interface GeneratedBlock {
  type: string;
  /** Of the block in its template. */
  origin: string;
  address: string;
  code: string;
  /** The name of its piece. */
  piece: string;
}

export interface Rewriting {
  vocabulary: Vocabulary;
  choice: SeededChoice;
  /** Names of the whole game. */
  taken: Set<string>;
  account: string;
  /** Without other values: names only. */
  isCautious: boolean;
}

/** The same infrastructure under other names, with other safe values. */
export function rewritePiece(piece: Piece, blocks: readonly PieceBlock[], options: Rewriting): GeneratedBlock[] {
  const names = newNames(blocks, options);
  const texts = textChanges(piece, options);
  return blocks.map(({ source, block, name }) => {
    const edits: TextEdit[] = options.isCautious ? [] : valueEdits(block, options.choice);
    const { start, end } = block.range;
    const comments = source.comments
      .filter((one) => one.start >= start && one.end <= end)
      .map((one) => ({ ...withLine(source.text, one), text: '' }));
    const isApart = (one: TextEdit) => !comments.some((comment) => one.start < comment.end && comment.start < one.end);
    const moved = [...edits.filter(isApart), ...comments].map((one) => ({
      ...one,
      start: one.start - start,
      end: one.end - start,
    }));
    const code = applyEdits(source.text.slice(start, end), moved);
    const renamed = names.get(name) ?? name;
    const isTemplate = piece.language === 'cloudformation';
    const address = isTemplate ? `${block.address.slice(0, block.address.lastIndexOf('.') + 1)}${renamed}` : renamed;
    return {
      type: block.type,
      origin: block.address,
      address,
      code: texts.code(isTemplate ? templateCode(code, name, names, texts) : terraformCode(code, names, texts)),
      piece: options.vocabulary.noun,
    };
  });
}

/** A comment that has its lines for itself is removed with them. */
function withLine(text: string, { start, end }: { start: number; end: number }) {
  const from = text.lastIndexOf('\n', start - 1);
  return text.slice(from + 1, start).trim() === '' && from >= 0 ? { start: from, end } : { start, end };
}

/** The names that all pieces share, because they declare the same. */
const SHARED = /^(?:var\.environment|Environment|data\.aws_(?:caller_identity|region|partition)\.current)$/;

/** From the names of the template to those of the game. */
function newNames(blocks: readonly PieceBlock[], { vocabulary, choice, taken }: Rewriting): Map<string, string> {
  const names = new Map<string, string>();
  // The bucket, its versioning and its policy have one label, and keep one.
  const labels = new Map<string, string>();
  for (const { block, name } of blocks) {
    for (const declared of declaredNames(block, name)) {
      if (block.type === 'terraform' || SHARED.test(declared)) continue;
      const [, prefix = '', label = declared] = /^(.*\.)?([^.]+)$/.exec(declared) ?? [];
      const before = labels.get(label);
      const isTaken = (one: string) => taken.has(`${prefix}${one}`);
      const next = before !== undefined && !isTaken(before) ? before : drawLabel(label, vocabulary, choice, isTaken);
      labels.set(label, next);
      taken.add(`${prefix}${next}`);
      names.set(declared, `${prefix}${next}`);
    }
  }
  return names;
}

interface TextChange {
  /** In a text. */
  words(text: string): string;
  /** In all code of the piece. */
  code(code: string): string;
}

/** Ports that are a matter of taste; some numbers above them are free as well. */
const APPLICATION_PORTS = [8443, 5433, 3307, 6380, 27117, 5440, 9111, 8282];

/** What is changed in texts: words, addresses, accounts and ports. */
function textChanges({ language }: Piece, { vocabulary, choice, account, isCautious }: Rewriting): TextChange {
  const networks = new Map<string, string>();
  const network = (old: string, second: string) => {
    if (!networks.has(old)) networks.set(old, drawNetwork(choice, Number(second)));
    return networks.get(old) ?? old;
  };
  const ports = new Map(APPLICATION_PORTS.map((port) => [String(port), String(port + choice.between(0, 6))]));
  const isLiteral = !isCautious && choice.between(0, 1) === 0;
  const own = `\${${language === 'terraform' ? 'data.aws_caller_identity.current.account_id' : 'AWS::AccountId'}}`;
  const tag = choice.one(words().tags) ?? 'Team';
  const second = choice.one(words().tags.filter((one) => one !== tag)) ?? 'Owner';
  const isTwice = choice.between(1, 3) === 1;
  const inTexts = (text: string) => {
    const numbered = text
      .replaceAll(/\b10\.(\d+)(?=\.\d+\.\d+\/\d+)/g, (old, second: string) => network(old, second))
      .replaceAll(/\b210987654321\b/g, account);
    const placed = isLiteral ? numbered.replaceAll(own, account) : numbered;
    return placed
      .split(/(\$\{[^$}]*\})/)
      .map((part) => (part.startsWith('${') ? part : inOtherWords(part, vocabulary)))
      .join('');
  };
  return {
    words: inTexts,
    code: (code) =>
      code
        .replaceAll(/(?<![\w.-])\d{4,5}(?![\w.-])/g, (port) => ports.get(port) ?? port)
        .replaceAll(
          /(\btags\s*= \{ )(?!Name|Tier|Snapshot)\w+( = "[^"]*")( \})/g,
          (_, start: string, value: string, end: string) => {
            return `${start}${tag}${value}${isTwice ? `, ${second} = "${vocabulary.noun}"` : ''}${end}`;
          },
        )
        .replaceAll(/- Key: (?:Application|Team|Service)\b/g, `- Key: ${tag}`),
  };
}

function terraformCode(code: string, names: ReadonlyMap<string, string>, change: TextChange): string {
  const [head = '', ...rest] = code.split('\n');
  const body = rest.join('\n').replaceAll(/"(?:[^"\\$\n]|\\.|\$(?!\{)|\$\{[^$}\n]*\})*"?/g, change.words);
  const named = `${head}\n${body}`.replaceAll(/(?<![\w.-])[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+/g, (path) => {
    const steps = path.split('.');
    const length = steps[0] === 'data' ? 3 : 2;
    const found = names.get(steps.slice(0, length).join('.'));
    return found === undefined ? path : [found, ...steps.slice(length)].join('.');
  });
  return head === 'locals {' ? withLocalNames(named, names) : withOwnLabel(named, names);
}

/** The head of a block: `resource "aws_s3_bucket" "data" {`. */
function withOwnLabel(code: string, names: ReadonlyMap<string, string>): string {
  return code.replace(/^(\w+)((?: "[^"]+")+) \{/, (head, type: string, labels: string) => {
    const own = (labels.match(/[^" ]+/g) ?? []).join('.');
    const address = type === 'variable' ? `var.${own}` : type === 'data' ? `data.${own}` : own;
    const last = names.get(address)?.split('.').at(-1);
    return last === undefined ? head : head.replace(/"[^"]+" \{$/, `"${last}" {`);
  });
}

function withLocalNames(code: string, names: ReadonlyMap<string, string>): string {
  return code.replaceAll(/^( {2})(\w+)(?=\s*=)/gm, (all, indent: string, name: string) => {
    const found = names.get(`local.${name}`);
    return found === undefined ? all : `${indent}${found.slice('local.'.length)}`;
  });
}

/** Where CloudFormation refers to a name. */
const REFERENCE = /(!Ref |!GetAtt |\$\{|DependsOn: |- Ref: )([A-Za-z0-9]+)(?![A-Za-z0-9:])/g;

function templateCode(code: string, name: string, names: ReadonlyMap<string, string>, change: TextChange): string {
  const lines = code.split('\n').map((line, at) => {
    if (at === 0) return line.replace(name, names.get(name) ?? name);
    const indent = /^\s*(?:- )?/.exec(line)?.[0] ?? '';
    const key = /^[\w.:/"'-]+:(?= |$) ?/.exec(line.slice(indent.length))?.[0] ?? '';
    const value = line.slice(indent.length + key.length);
    const isFixed = /^(?:Type|Effect|Version|SSEAlgorithm):/.test(key) || /^(?:AWS::|!Ref|!GetAtt)/.test(value);
    return isFixed ? line : `${indent}${key}${change.words(value)}`;
  });
  return lines
    .join('\n')
    .replaceAll(REFERENCE, (_, before: string, used: string) => `${before}${names.get(used) ?? used}`);
}
