import { z } from 'zod';
import { weaknessById } from '../../../match/weaknesses/weaknesses.ts';
import { dataFolder } from '../../../text/data-file.ts';
import { type Rule, writtenRuleSchema } from './rule.ts';

let rules: readonly Rule[] | undefined;

/** Every rule that the embedded Blue Team knows, by id. */
export function allRules(): readonly Rule[] {
  // JSON, because as much YAML takes a hundred times as long to read.
  rules ??= Object.entries(dataFolder(import.meta.url, './catalogue'))
    .flatMap(([file, text]) => readRules(file, text))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return rules;
}

function readRules(file: string, text: string): Rule[] {
  const written = z.array(writtenRuleSchema).parse(JSON.parse(text));
  return written.map((rule) => {
    const weakness = weaknessById(rule.weakness);
    if (!weakness) throw new Error(`${file}: ${rule.id} is about ${rule.weakness}, which is no known weakness.`);
    const { category, severity, cwe } = weakness;
    return { ...rule, category, severity, cwe };
  });
}
