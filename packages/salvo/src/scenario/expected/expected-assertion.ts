import { type PromptfooAssertion, readExpectedCell } from './expected-cell.ts';
import { plainAssertion } from './plain-assertion.ts';

/** An assertion of a scenario, or why a cell is none. */
export type ExpectedAssertion = { assertion: Record<string, unknown> } | { message: string; hint: string };

const HINT = 'the column `assertions` takes every type of assertion, as a JSON text';
/** Types whose cell needs no value. */
const WITHOUT_VALUE = new Set(['is-json', 'is-refusal']);

/** The assertion of a cell of the column `__expected`: `icontains: x`, `similar(0.8): x`, or the whole expected answer. */
export function expectedAssertion(cell: string): ExpectedAssertion {
  const written = readExpectedCell(cell);
  const isNegated = written.type.startsWith('not-');
  const base = isNegated ? written.type.slice(4) : written.type;
  const text = String(written.value ?? '');
  if (text.startsWith('file://')) {
    return {
      message: `"${cell}" names a file, and files of code are not read from a cell`,
      hint: 'use `custom` in the column `assertions`',
    };
  }
  if (!WITHOUT_VALUE.has(base) && listOf(written).length === 0) {
    return {
      message: `"${written.type}" has no value`,
      hint: `write it after a colon, as in \`${written.type}: text\``,
    };
  }
  if (base === 'is-json' && text !== '') {
    return {
      message: '"is-json" with a schema is not read from a cell',
      hint: 'use `output_json` with `schema` in the column `assertions`',
    };
  }
  const plain = plainAssertion({ base, isNegated, isScored: false, text: () => text, list: () => listOf(written) });
  const assertion = plain ?? otherAssertion(base, { isNegated, text, threshold: written.threshold });
  if (assertion) return { assertion };
  return { message: `"${written.type}" is not read from a cell`, hint: HINT };
}

function listOf({ value }: PromptfooAssertion): string[] {
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' && value !== '' ? [value] : [];
}

function otherAssertion(
  base: string,
  { isNegated, text, threshold }: { isNegated: boolean; text: string; threshold: number | undefined },
): Record<string, unknown> | undefined {
  if (base === 'javascript') return isNegated ? undefined : { type: 'javascript', code: text };
  if (base === 'similar') return isNegated ? undefined : { type: 'output_similar', value: text, min: threshold };
  if (base === 'llm-rubric') return { judge: isNegated ? `This is NOT true of the answer: ${text}` : text };
  if (base === 'word-count' && /^\d{1,9}$/.test(text) && !isNegated) {
    return { type: 'output_length', unit: 'words', min: Number(text), max: Number(text) };
  }
  return undefined;
}
