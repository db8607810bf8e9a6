import { describe, expect, it } from 'vitest';
import { type RuleCase, readRuleCases } from '../../../test/arena/rule-cases.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { weaknessById } from '../../match/weaknesses/weaknesses.ts';
import { allTemplates, presentBefore, templateFiles } from '../../templates/templates.ts';
import { allRules } from './rules.ts';
import { runRules } from './run-rules.ts';

const cases = readRuleCases();
const rules = allRules();

async function linesFound({ rule, language, code }: RuleCase): Promise<(number | null | undefined)[]> {
  const project = await parseCode({ [language === 'terraform' ? 'main.tf' : 'template.yaml']: code });
  expect(project.files.flatMap(({ problems }) => problems)).toEqual([]);
  const findings = runRules(project, { rules: rules.filter(({ id }) => id === rule) });
  return findings.map(({ line }) => line);
}

describe.each(rules.map((rule) => [rule.id, rule.slug, rule] as const))('%s %s', (id, _, rule) => {
  const own = cases.filter((one) => one.rule === id);

  const languages = (['terraform', 'cloudformation'] as const).filter((language) => rule[language].length > 0);

  it.each(languages)('has flawed and sound code in %s', (language) => {
    const lines = own.filter((one) => one.language === language).map(({ line }) => line !== null);
    expect(lines).toContain(true);
    expect(lines).toContain(false);
  });

  it('finds the flaw in the right line, and nothing else', async () => {
    expect(own.length).toBeGreaterThan(0);
    for (const one of own) expect(await linesFound(one), one.code).toEqual(one.line === null ? [] : [one.line]);
  });
});

describe('the catalogue of rules', () => {
  it('has each id and each slug once', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    expect(new Set(rules.map(({ slug }) => slug)).size).toBe(rules.length);
  });

  it('has lost no rule: change these numbers when you add one', () => {
    expect(rules).toHaveLength(534);
    expect(rules.filter(({ terraform }) => terraform.length > 0)).toHaveLength(506);
    expect(rules.filter(({ cloudformation }) => cloudformation.length > 0)).toHaveLength(454);
  });

  it('looks only at types of resources that the weakness names, unless it names none', () => {
    const strangers = rules.flatMap((rule) => {
      const { terraform, cloudformation } = weaknessById(rule.weakness) ?? {};
      const named = [...(terraform?.types ?? []), ...(cloudformation?.types ?? [])];
      const types = [...rule.terraform, ...rule.cloudformation].flatMap((look) => look.types);
      return types
        .filter((type) => type !== '*' && !type.startsWith('provider.'))
        .filter((type) => named.length > 0 && !named.includes(type.replace(/^data\./, '')))
        .map((type) => `${rule.id}: ${type} is not of ${rule.weakness}`);
    });
    expect(strangers).toEqual([]);
  });

  it('has no case for an unknown rule', () => {
    const ids = new Set(rules.map(({ id }) => id));
    expect(cases.filter(({ rule }) => !ids.has(rule))).toEqual([]);
  });
});

describe.each(allTemplates().map((template) => [template.language, template.id, template] as const))(
  'the secure template %s %s',
  (_, __, template) => {
    it('gives no finding but those that are listed as present before', async () => {
      const present = presentBefore(template);
      const findings = runRules(await parseCode(templateFiles(template))).filter(
        ({ rule_ids = [], resource }) =>
          !present.some((one) => rule_ids?.includes(one.weakness) && [resource].flat().includes(one.resource)),
      );
      expect(findings.map(({ rule_id, file, line }) => `${rule_id} ${file}:${line}`)).toEqual([]);
    });
  },
);
