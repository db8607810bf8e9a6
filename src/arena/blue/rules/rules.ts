import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '../../../app/package-file.ts';
import { weaknessById } from '../../../match/weaknesses/weaknesses.ts';
import { type Rule, writtenRuleSchema } from './rule.ts';

/** The files of the catalogue. JSON, because as much YAML takes a hundred times as long to read. */
const FILES = [
  'storage',
  'compute',
  'network',
  'edge',
  'identity',
  'secrets',
  'databases',
  'containers',
  'messaging',
  'logging',
  'analytics',
];

let rules: readonly Rule[] | undefined;

/** Every rule that the embedded Blue Team knows, by id. */
export function allRules(): readonly Rule[] {
  rules ??= FILES.flatMap(readRules).sort((a, b) => (a.id < b.id ? -1 : 1));
  return rules;
}

function readRules(name: string): Rule[] {
  const file = `src/arena/blue/rules/catalogue/${name}.json`;
  const written = z.array(writtenRuleSchema).parse(JSON.parse(readFileSync(packageFile(file), 'utf8')));
  return written.map((rule) => {
    const weakness = weaknessById(rule.weakness);
    if (!weakness) throw new Error(`${file}: ${rule.id} is about ${rule.weakness}, which is no known weakness.`);
    const { category, severity, cwe } = weakness;
    return { ...rule, category, severity, cwe };
  });
}
