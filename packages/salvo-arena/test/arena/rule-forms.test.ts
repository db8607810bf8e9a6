import { expect, it } from 'vitest';
import { allRules } from '../../src/blue/rules/rules.ts';
import { runRules } from '../../src/blue/rules/run-rules.ts';
import { parseCode } from '../../src/iac/syntax/parse-code.ts';
import { type RuleCase, readRuleCases } from './rule-cases.ts';
import { TEMPLATE_FORMS } from './template-forms.ts';
import { TERRAFORM_FORMS } from './terraform-forms.ts';

const FORMS = { terraform: TERRAFORM_FORMS, cloudformation: TEMPLATE_FORMS };
const FILES = { terraform: 'main.tf', cloudformation: 'template.yaml' };

it.each(['terraform', 'cloudformation'] as const)('rules say the same about %s in other forms', async (language) => {
  const cases = readRuleCases().filter((one) => one.language === language);
  const forms = Object.entries(FORMS[language]);
  const wrong: string[] = [];
  // There are thousands of cases: every fifth one is tried, in one form, by turns.
  for (const [index, one] of cases.filter((_, at) => at % 5 === 0).entries()) {
    const [name, form] = forms[index % forms.length] ?? [];
    const [source] = (await parseCode({ [FILES[language]]: one.code })).files;
    const files = source && form?.(source);
    if (files && (await isFound(one, files)) !== (one.line !== null)) {
      wrong.push(`${one.rule} with ${name}:\n${Object.values(files).join('\n')}`);
    }
  }
  expect(wrong).toEqual([]);
});

async function isFound({ rule }: RuleCase, files: Record<string, string>): Promise<boolean> {
  const project = await parseCode(files);
  expect(project.files.flatMap(({ problems }) => problems)).toEqual([]);
  return runRules(project, { rules: allRules().filter(({ id }) => id === rule) }).length > 0;
}
