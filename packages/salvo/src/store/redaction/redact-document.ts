import { z } from 'zod';
import { isDocumentField } from '../../secrets/document-words.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { type TextMark, textMark } from '../../secrets/text-marks.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { LEFT_OUT, mapEntries, mapList } from '../../text/json/map-json.ts';
import { mapNotRecorded, notRecorded } from '../../trace/not-recorded.ts';

export type RecordingMode = 'full' | 'metadata_only';

/** The document without its secrets; with `metadata_only` also without its texts. `T` is what the schema describes. */
export type RedactDocument = <T>(schema: Schema, document: T) => T;

type Schema = z.core.$ZodType;
/** `key` is the name of the value in `parent`, by which a secret may be known. */
type Visit = (value: unknown, key: string | null, parent: object | null) => unknown;

const TEXT_FREE = /^[\w.:+-]*$/;
const LONGEST_TEXT_FREE = 200;
/** Anything else in a field for the content of a file is text. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const SINGLE_WORD = /^[\w.:@/+-]{1,64}$/;

/**
 * Redacts documents by their zod schemas. Numbers, booleans and the words of enums are stored as they are; a string is
 * treated by the mark on its schema (see `text-marks.ts`), and as text when it has none. A field that the schema does
 * not have is text, too.
 */
export function createDocumentRedactor(options: { redactor: Redactor; mode: RecordingMode }): RedactDocument {
  const visitors = new Visitors(options.redactor, options.mode);
  return (schema, document) => visitors.redact(schema, document);
}

/** Makes a function of each schema that redacts its values, once. */
class Visitors {
  readonly #redactor: Redactor;
  readonly #strings: Strings;
  /** In full, they are stored whatever the schema says. */
  readonly #keepsTextFreeValues: boolean;
  readonly #visits = new WeakMap<Schema, Visit>();

  constructor(redactor: Redactor, mode: RecordingMode) {
    this.#redactor = redactor;
    this.#keepsTextFreeValues = mode === 'full';
    this.#strings = mode === 'full' ? fullStrings(redactor) : metadataStrings(redactor);
  }

  redact<T>(schema: Schema, document: T): T {
    const redacted = this.#visitorOf(schema, undefined)(document, null, null);
    // The walk replaces strings by strings, and leaves out only what the schema calls optional.
    return redacted as T;
  }

  #visitorOf(schema: Schema, inherited: TextMark | undefined): Visit {
    const mark = textMark(schema) ?? inherited;
    if (mark !== undefined) return this.#createVisitor(schema, mark);
    const known = this.#visits.get(schema) ?? this.#createVisitor(schema, mark);
    this.#visits.set(schema, known);
    return known;
  }

  #createVisitor(schema: Schema, mark: TextMark | undefined): Visit {
    if (schema instanceof z.ZodString) return (value, key, parent) => this.#leaf(value, key, parent, mark);
    if (schema instanceof z.ZodObject) return this.#objectVisitor(schema, mark);
    // Built when a document has such a value, and not before.
    if (schema instanceof z.ZodLazy) {
      return (value, key, parent) => this.#visitorOf(schema._zod.innerType, mark)(value, key, parent);
    }
    if (schema instanceof z.ZodRecord) return this.#recordVisitor(schema, mark);
    if (schema instanceof z.ZodArray) return this.#listVisitor([], this.#visitorOf(schema.element, mark), mark);
    if (schema instanceof z.ZodTuple) {
      const items = schema.def.items.map((item) => this.#visitorOf(item, mark));
      return this.#listVisitor(items, (value, key) => this.#strings.unknown(value, key, mark), mark);
    }
    if (schema instanceof z.ZodDiscriminatedUnion) return this.#discriminatedVisitor(schema, mark);
    if (schema instanceof z.ZodUnion) return this.#unionVisitor(schema, mark);
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
      const inner = this.#visitorOf(schema.def.innerType, mark);
      return (value, key, parent) => (value === null || value === undefined ? value : inner(value, key, parent));
    }
    if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) {
      const words: ReadonlySet<unknown> = schema._zod.values;
      return (value, key) => (words.has(value) ? value : this.#strings.unknown(value, key, mark));
    }
    if (schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean || schema instanceof z.ZodNull) {
      return (value, key) => (isTextFreeValue(value) ? value : this.#strings.unknown(value, key, mark));
    }
    return (value, key) => this.#strings.unknown(value, key, mark);
  }

  #leaf(value: unknown, key: string | null, parent: object | null, mark: TextMark | undefined): unknown {
    if (mark?.kind === 'file_content' && typeof value === 'string' && BASE64.test(value)) {
      return this.#strings.keepsFiles ? value : LEFT_OUT;
    }
    return typeof value === 'string'
      ? this.#strings.string(value, { key, parent, mark })
      : this.#strings.unknown(value, key, mark);
  }

  #objectVisitor(schema: z.ZodObject, mark: TextMark | undefined): Visit {
    const fields = new Map(
      Object.entries(schema.shape).map(([name, field]) => [
        name,
        { visit: this.#visitorOf(field, mark), isOptional: field._zod.optin === 'optional' },
      ]),
    );
    const { catchall } = schema.def;
    const others = catchall === undefined ? undefined : (textMark(catchall) ?? mark);
    /** Whether the last part was of a field: its name is looked up once only. */
    let isDeclared = false;
    const renameUndeclared = (key: string): string => (isDeclared ? key : this.#redactor.key(key));
    const change = (key: string, part: unknown, parent: object): unknown => {
      const field = fields.get(key);
      let redacted = part;
      if (!this.#keepsTextFreeValues || !isTextFreeValue(part)) {
        redacted = field ? field.visit(part, key, parent) : this.#strings.undeclared(key, part, others);
      }
      isDeclared = field !== undefined;
      return redacted === LEFT_OUT && field?.isOptional === false ? this.#placeholder(part) : redacted;
    };
    return (value, name) =>
      isRecord(value) ? mapEntries(value, change, renameUndeclared) : this.#strings.unknown(value, name, mark);
  }

  #recordVisitor(schema: z.ZodRecord, mark: TextMark | undefined): Visit {
    const keyMark = textMark(schema.keyType) ?? mark;
    const visit = this.#visitorOf(schema.valueType, mark);
    return (value, name) => {
      if (!isRecord(value) || keyMark === undefined || keyMark.kind === 'measurements') {
        return isRecord(value) && keyMark === undefined
          ? this.#strings.record(value, name)
          : this.#strings.unknown(value, name, mark);
      }
      return mapEntries(
        value,
        (key, part) => this.#inPlace(visit(part, key, value), part),
        (key) => this.#strings.string(key, { key: null, parent: null, mark: keyMark }),
      );
    };
  }

  /** The strings of a list have the list's name. */
  #listVisitor(items: readonly Visit[], rest: Visit, mark: TextMark | undefined): Visit {
    return (value, name, parent) => {
      if (!Array.isArray(value)) return this.#strings.unknown(value, name, mark);
      return mapList(value, (part, index) => this.#inPlace((items[index] ?? rest)(part, name, parent), part));
    };
  }

  /** By its discriminator: to parse every message of a long trace against every role would take long. */
  #discriminatedVisitor(schema: z.ZodDiscriminatedUnion, mark: TextMark | undefined): Visit {
    const { discriminator } = schema.def;
    const visitors = new Map<unknown, Visit>();
    for (const option of schema.options) {
      for (const word of option._zod.propValues?.[discriminator] ?? [])
        visitors.set(word, this.#visitorOf(option, mark));
    }
    return (value, name, parent) => {
      const visit = isRecord(value) ? visitors.get(value[discriminator]) : undefined;
      return visit ? visit(value, name, parent) : this.#strings.unknown(value, name, mark);
    };
  }

  #unionVisitor(schema: z.ZodUnion, mark: TextMark | undefined): Visit {
    const options = schema.options.map((option) => ({ option, visit: this.#visitorOf(option, mark) }));
    return (value, name, parent) => {
      const fitting = options.find(({ option }) => z.safeParse(option, value).success);
      return fitting ? fitting.visit(value, name, parent) : this.#strings.unknown(value, name, mark);
    };
  }

  #inPlace(redacted: unknown, original: unknown): unknown {
    return redacted === LEFT_OUT ? this.#placeholder(original) : redacted;
  }

  /** Values from a user's own module may be circular or hold a BigInt, which the redactor replaces. */
  #placeholder(value: unknown): string {
    return notRecorded(typeof value === 'string' ? value : (JSON.stringify(this.#redactor.value(value)) ?? ''));
  }
}

/** How the strings of a document are stored in one mode. */
interface Strings {
  keepsFiles: boolean;
  string(value: string, at: { key: string | null; parent: object | null; mark: TextMark | undefined }): string;
  /** A value of any content. */
  unknown(value: unknown, key: string | null, mark: TextMark | undefined): unknown;
  /** A map whose keys are text. */
  record(value: Record<string, unknown>, key: string | null): unknown;
  /** A field that the schema does not name. */
  undeclared(key: string, value: unknown, mark: TextMark | undefined): unknown;
}

function fullStrings(redactor: Redactor): Strings {
  return {
    keepsFiles: true,
    string: (value, { key, mark }) =>
      mark?.kind === 'text_free' && isTextFree(value) ? value : redactor.value(value, key),
    unknown(value, key, mark) {
      if (mark?.kind !== 'measurements' || !isRecord(value)) return redactor.value(value, key);
      const redacted = redactor.value(value, key);
      return mapEntries(redacted, (name, part) => {
        const isKept = mark.names[name]?.kind === 'text_free' && isTextFree(String(value[name]));
        return isKept ? value[name] : part;
      });
    },
    record: (value, key) => redactor.value(value, key),
    undeclared: (key, value) => redactor.value(value, key),
  };
}

function metadataStrings(redactor: Redactor): Strings {
  const full = fullStrings(redactor);

  const string: Strings['string'] = (value, at) => {
    const { parent, mark } = at;
    switch (mark?.kind) {
      case 'text_free':
        return isTextFree(value) ? value : notRecorded(value);
      case 'project_name':
        return full.string(value, at);
      case 'foreign_name':
        return SINGLE_WORD.test(value) ? full.string(value, at) : notRecorded(value);
      case 'error':
        return errorNotRecorded(value, parent === null ? undefined : Reflect.get(parent, mark.codeField));
      default:
        return notRecorded(value);
    }
  };

  /** Numbers and booleans at any depth. Keys stay when they are fields of Salvo's own documents. */
  function measured(value: unknown, names: Readonly<Record<string, TextMark>> = {}): unknown {
    if (typeof value === 'string') return notRecorded(value);
    if (Array.isArray(value)) return value.map((part) => measured(part));
    if (!isRecord(value)) return isTextFreeValue(value) ? value : null;
    const markOf = (key: string, part: unknown): TextMark | undefined =>
      Object.hasOwn(names, key) && typeof part === 'string' ? names[key] : undefined;
    let hidden = 0;
    return mapEntries(
      value,
      (key, part) => {
        const mark = markOf(key, part);
        return mark && typeof part === 'string' ? string(part, { key, parent: value, mark }) : measured(part);
      },
      (key, part) => {
        if (markOf(key, part) || isDocumentField(key)) return key;
        hidden += 1;
        return `[not recorded ${hidden}]`;
      },
    );
  }

  function unknown(value: unknown, key: string | null, mark: TextMark | undefined): unknown {
    if (value === null || value === undefined) return value;
    if (mark?.kind === 'measurements') return measured(full.unknown(value, key, mark), mark.names);
    if (mark === undefined) return LEFT_OUT;
    if (typeof value === 'string') return string(value, { key, parent: null, mark });
    return mark.kind === 'project_name' ? redactor.value(value, key) : LEFT_OUT;
  }

  return {
    keepsFiles: false,
    string,
    unknown,
    record: (value) => mapNotRecorded(redactor.value(value)),
    undeclared: (key, value, mark) => (mark === undefined ? LEFT_OUT : unknown(value, key, mark)),
  };
}

/** The code says what kind of error it was, so that a report stays readable. */
function errorNotRecorded(text: string, code: unknown): string {
  if (typeof code !== 'string' || code === '' || !isTextFree(code)) return notRecorded(text);
  const prefix = `${code} `;
  return prefix + notRecorded(text.startsWith(prefix) ? text.slice(prefix.length) : text);
}

/** The form of ids, hashes, times and codes. Anything else is text, whatever its mark says. */
function isTextFree(value: string): boolean {
  return value.length <= LONGEST_TEXT_FREE && TEXT_FREE.test(value);
}

function isTextFreeValue(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined;
}
