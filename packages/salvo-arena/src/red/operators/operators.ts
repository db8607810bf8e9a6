import { dataFile, remembered } from 'salvo/kit/text';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { attributeOperator } from './attribute-operator.ts';
import { companionOperator } from './companion-operator.ts';
import type { MutationOperator } from './operator.ts';
import { type OperatorSpec, operatorSpecSchema } from './operator-spec.ts';
import { policyOperator } from './policy-operator.ts';

/** All operators of a language, in the order of the data. */
export function operatorsFor(language: CodeLanguage): readonly MutationOperator[] {
  return remembered(library, language, () => readOperators(language));
}

const library = new Map<CodeLanguage, readonly MutationOperator[]>();

function readOperators(language: CodeLanguage): MutationOperator[] {
  const lines = dataFile(import.meta.url, './operators.jsonl').split('\n');
  return lines.flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const spec = specFor(JSON.parse(line), language);
    return spec ? [operatorOf(spec)] : [];
  });
}

/** A line has the fields that both languages share, and under the name of each language its own. */
function specFor(line: Record<string, unknown>, language: CodeLanguage): OperatorSpec | null {
  const { terraform, cloudformation, ...shared } = line;
  const own = language === 'terraform' ? terraform : cloudformation;
  return own === undefined
    ? null
    : operatorSpecSchema.parse({ kind: 'attribute', language, ...shared, ...Object(own) });
}

function operatorOf(spec: OperatorSpec): MutationOperator {
  if (spec.kind === 'policy') return policyOperator(spec);
  return spec.kind === 'companion' ? companionOperator(spec) : attributeOperator(spec);
}
