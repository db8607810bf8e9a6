import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { wilsonInterval } from '../packages/salvo/src/stats/intervals/wilson-interval.ts';
import { allRules } from '../packages/salvo-arena/src/blue/rules/rules.ts';
import { runRules } from '../packages/salvo-arena/src/blue/rules/run-rules.ts';
import { parseCode } from '../packages/salvo-arena/src/iac/syntax/parse-code.ts';
import type { Finding } from '../packages/salvo-arena/src/match/claims/finding.ts';
import { weaknessesOfRule } from '../packages/salvo-arena/src/match/weaknesses/weaknesses.ts';

/** A snippet that is flawed or sound by one rule of a scanner. */
const exampleSchema = z.object({
  id: z.string(),
  aliases: z.array(z.string()).default([]),
  title: z.string(),
  cloud: z.string(),
  language: z.enum(['terraform', 'cloudformation']),
  flawed: z.boolean(),
  code: z.string(),
  /** Where one snippet has sound and flawed resources, the one that the label is about. */
  resource: z.string().optional(),
});

interface Judged extends z.infer<typeof exampleSchema> {
  /** The first word of the weakness: `s3`, `rds`. */
  service: string;
  /** Whether one of our rules is about the same weakness, in this language. */
  hasRule: boolean;
  isFound: boolean;
}

const FILE =
  process.env.SALVO_RULE_EXAMPLES ?? fileURLToPath(new URL('../../shared/data/rule-examples.jsonl', import.meta.url));

/**
 * What the embedded rules say about labelled snippets of other people: recall on flawed ones, false alarms on sound
 * ones. Only findings about the weakness of the label count. `--misses` lists every wrong answer.
 */
export async function benchRuleExamples(): Promise<string[]> {
  if (!existsSync(FILE)) return ['skipped: no labelled examples here (name their file in SALVO_RULE_EXAMPLES)'];
  const lines = readFileSync(FILE, 'utf8').trim().split('\n');
  const examples = lines.map((line) => exampleSchema.parse(JSON.parse(line)));
  const judged: Judged[] = [];
  for (const example of examples.filter(({ cloud }) => cloud === 'aws')) judged.push(await judge(example));
  const others = Map.groupBy(
    examples.filter(({ cloud }) => cloud !== 'aws'),
    ({ cloud }) => cloud,
  );
  const byLanguage = [...Map.groupBy(judged, ({ language }) => language)];
  return [
    `${judged.length} examples of AWS; not covered: ${[...others].map(([cloud, { length }]) => `${length} of ${cloud}`).join(', ') || 'none'}`,
    ...byLanguage.flatMap(([language, all]) => [
      `${language}: ${ratesText(all)}`,
      `  where we have a rule: ${ratesText(all.filter(({ hasRule }) => hasRule))}`,
      ...[...Map.groupBy(all, ({ service }) => service)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([service, of]) => `  ${service.padEnd(18)} ${ratesText(of)}`),
    ]),
    ...(process.argv.includes('--misses') ? judged.flatMap(wrongAnswer) : []),
  ];
}

async function judge(example: z.infer<typeof exampleSchema>): Promise<Judged> {
  const { id, aliases, language, code, resource } = example;
  const weaknesses = [...new Set([id, ...aliases].flatMap(weaknessesOfRule))];
  const rules = allRules().filter((rule) => weaknesses.includes(rule.weakness) && rule[language].length > 0);
  const project = await parseCode({ [language === 'terraform' ? 'main.tf' : 'template.yaml']: code });
  const findings = runRules(project, { rules });
  return {
    ...example,
    service: weaknesses[0]?.split('-', 1)[0] ?? 'unknown rule',
    hasRule: rules.length > 0,
    isFound: findings.some((finding) => resource === undefined || isAbout(finding, resource)),
  };
}

function isAbout(finding: Finding, resource: string): boolean {
  return [finding.resource].flat().some((address) => address === resource);
}

function ratesText(judged: readonly Judged[]): string {
  const flawed = judged.filter((one) => one.flawed);
  const sound = judged.filter((one) => !one.flawed);
  return `recall ${rateText(flawed)}, false alarms ${rateText(sound)}`;
}

function rateText(judged: readonly Judged[]): string {
  const found = judged.filter(({ isFound }) => isFound).length;
  const interval = wilsonInterval({ passed: found, total: judged.length });
  if (!interval) return 'none';
  const [low, high] = interval.map((bound) => Math.round(100 * bound));
  return `${((100 * found) / judged.length).toFixed(1)}% (${found} of ${judged.length}, ${low} to ${high}%)`;
}

function wrongAnswer({ id, aliases, language, flawed, title, resource, isFound, hasRule }: Judged): string[] {
  if (flawed === isFound) return [];
  const [weakness] = [id, ...aliases].flatMap(weaknessesOfRule);
  const where = [language, resource].filter((part) => part !== undefined).join(' ');
  const why = flawed ? (hasRule ? 'missed' : 'missed, no rule') : 'false alarm';
  return [`${why}: ${id} ${where}: ${weakness ?? 'not in the catalogue'}: ${title}`];
}
