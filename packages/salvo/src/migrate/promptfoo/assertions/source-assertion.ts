import type { LocatedValue } from '../../../scenario/diagnostics/located-value.ts';
import { splitExpected } from '../../../scenario/expected/expected-cell.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import { MigrationGap, type MigrationNotes } from '../../notes.ts';
import { childOf, numberOf, textOf } from '../../source/located.ts';
import { isCodeFile, type SourceFiles } from '../../source/source-files.ts';
import { mapTexts } from '../vars.ts';
import { literalText, ownText, type TestTexts } from './test-texts.ts';

/** An assertion as a scenario has it. */
export type WrittenAssertion = Record<string, unknown>;

/** What is the same for all assertions of a config. */
export interface AssertionSurroundings {
  files: SourceFiles;
  notes: MigrationNotes;
  /** The file of checks that is written into the project is needed. */
  needsChecks: () => void;
  /** A file of the user is needed; returns its path as a scenario names it. */
  needsFile: (file: string, at: LocatedValue) => string;
  /** The answer is JSON or tool calls, which promptfoo parses before code looks at it. */
  isParsed: boolean;
  /** The model may call tools, which promptfoo takes for its answer. */
  hasTools: boolean;
  /** The test has a threshold: its score counts, and not only whether all passed. */
  isScored: boolean;
  /** Code that changes the answer before any assertion looks at it: of the provider, then of the test. */
  transforms: readonly LocatedValue[];
  texts: TestTexts;
}

/** One assertion of promptfoo, ready to be translated. */
export class SourceAssertion {
  /** Without `not-`. */
  readonly base: string;
  readonly isNegated: boolean;
  readonly node: LocatedValue;
  readonly around: AssertionSurroundings;

  constructor(node: LocatedValue, around: AssertionSurroundings) {
    const type = textOf(childOf(node, 'type')) ?? '';
    this.isNegated = type.startsWith('not-');
    this.base = this.isNegated ? type.slice(4) : type;
    this.node = node;
    this.around = around;
  }

  get type(): string {
    return `${this.isNegated ? 'not-' : ''}${this.base}`;
  }

  get threshold(): number | undefined {
    return numberOf(childOf(this.node, 'threshold'));
  }

  get valueNode(): LocatedValue | undefined {
    const written = childOf(this.node, 'value');
    const name = textOf(written);
    if (
      !written ||
      !name?.startsWith('file://') ||
      isCodeFile(name.replace(/:\w+$/, '')) ||
      /\.(?:py|rb)(?::\w+)?$/.test(name)
    ) {
      return written;
    }
    return this.around.files.named(name, written.span);
  }

  gap(why: string): MigrationGap {
    return new MigrationGap(this.type, why, this.node);
  }

  /** The value as a text of the scenario. */
  text(): string {
    const node = this.valueNode;
    if (typeof node?.value === 'number' || typeof node?.value === 'boolean') return String(node.value);
    const text = textOf(node);
    if (text === undefined || node === undefined) throw this.gap('it has no text as its value');
    if (/^file:\/\/|^package:/.test(text)) throw this.gap('its value comes from code');
    const own = ownText(text, node, this.around.texts);
    if (own === '') throw this.gap('its value is empty');
    return own;
  }

  /** The value as a list of texts; a text may have commas. */
  list(): string[] {
    const node = this.valueNode;
    const parts: unknown[] = Array.isArray(node?.value)
      ? node.value
      : splitExpected(textOf(node) ?? String(node?.value ?? ''));
    const texts = parts
      .map((part) => ownText(String(part), node ?? this.node, this.around.texts))
      .filter((text) => text !== '');
    if (texts.length === 0) throw this.gap('its value is empty');
    return texts;
  }

  /** The value as data in which texts are no templates. */
  data(): unknown {
    return mapTexts(this.valueNode?.value, (text) => literalText(text, this.around.texts));
  }

  /** The value as code that is executed as it is: promptfoo replaces templates in it first. */
  code(): string {
    const node = childOf(this.node, 'value');
    const ofConfig = isRecord(node?.value) ? textOf(childOf(node, '$function')) : undefined;
    const text = ofConfig ?? textOf(node);
    if (text === undefined || node === undefined) throw this.gap('it has no code as its value');
    return ofConfig === undefined && /\{[{%]/.test(text)
      ? ownText(text, node, { ...this.around.texts, hasData: false })
      : text;
  }

  /** Fields that every assertion may have. */
  shared(): WrittenAssertion {
    const weight = numberOf(childOf(this.node, 'weight'));
    return weight === undefined || weight === 1 ? {} : { weight: Math.max(0, weight) };
  }
}
