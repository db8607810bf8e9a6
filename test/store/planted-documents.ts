import { z } from 'zod';
import { type TextMark, textMark } from '../../packages/salvo/src/secrets/text-marks.ts';

type Schema = z.core.$ZodType;

/** The strings that were planted into documents, by what the schemas say about their fields. */
export interface Planted {
  /** In fields without a mark, in error messages, and in names that an agent gave. */
  texts: string[];
  /** In names that the project chose. */
  names: string[];
}

/**
 * A document with a string of its own in every text field, made from the schema, so that a field added later is
 * planted, too. Every object also has a field that its schema does not name. `variant` chooses among the options of
 * unions, and makes the ids. Each text ends with one of `secrets`, if there are any.
 */
export function plantedDocument(
  schema: Schema,
  { planted, variant, secrets = [] }: { planted: Planted; variant: number; secrets?: readonly string[] },
): unknown {
  const secretOf = (index: number) => (secrets.length > 0 ? ` ${secrets[index % secrets.length]}` : '');
  const text = () => remember(planted.texts, `planted text ${planted.texts.length}${secretOf(planted.texts.length)}.`);
  const name = () => remember(planted.names, `planted name ${planted.names.length}.`);

  function string(mark: TextMark | undefined): string {
    if (mark?.kind === 'text_free') return `id-${variant}`;
    return mark?.kind === 'project_name' ? name() : text();
  }

  function plant(part: Schema, inherited: TextMark | undefined): unknown {
    const mark = textMark(part) ?? inherited;
    if (part instanceof z.ZodString) return string(mark);
    if (part instanceof z.ZodObject) {
      const fields = Object.entries(part.shape).map(([key, field]) => [key, plant(field, mark)]);
      return { ...Object.fromEntries(fields), added_later: { [text()]: [text()] } };
    }
    if (part instanceof z.ZodRecord) return plantRecord(part, mark);
    if (part instanceof z.ZodArray) {
      const { element } = part;
      if (element instanceof z.ZodUnion) return element.options.map((option) => plant(option, mark));
      return [plant(element, mark), plant(element, mark)];
    }
    if (part instanceof z.ZodTuple) return part.def.items.map((item) => plant(item, mark));
    if (part instanceof z.ZodUnion) return plant(chosen(part.options), mark);
    if (part instanceof z.ZodOptional || part instanceof z.ZodNullable || part instanceof z.ZodDefault) {
      return plant(part.def.innerType, mark);
    }
    // A share: a number from 0 to 1, or a percentage.
    if (part instanceof z.ZodPipe && part.def.in instanceof z.ZodCustom) return 0.5;
    if (part instanceof z.ZodLazy) return plant(part._zod.innerType, mark);
    if (part instanceof z.ZodEnum) return chosen(part.options);
    if (part instanceof z.ZodLiteral) return part.def.values[0];
    if (part instanceof z.ZodNumber) return 1;
    if (part instanceof z.ZodBoolean) return true;
    if (part instanceof z.ZodUnknown) return plantUnknown(mark);
    throw new Error(`no sample for a schema of type ${part._zod.def.type}`);
  }

  function plantRecord({ keyType, valueType }: z.ZodRecord, mark: TextMark | undefined): unknown {
    const names = mark?.kind === 'measurements' ? Object.keys(mark.names) : [];
    return {
      [string(textMark(keyType) ?? mark)]: plant(valueType, mark),
      ...Object.fromEntries(names.map((key) => [key, text()])),
    };
  }

  function plantUnknown(mark: TextMark | undefined): unknown {
    return { [string(mark)]: [string(mark), { [string(mark)]: string(mark) }], count: 1 };
  }

  function chosen<T>(options: readonly T[]): T {
    const option = options[variant % options.length];
    if (option === undefined) throw new Error('a union without options');
    return option;
  }

  return plant(schema, undefined);
}

function remember(list: string[], planted: string): string {
  list.push(planted);
  return planted;
}
