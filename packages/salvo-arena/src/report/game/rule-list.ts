import { type Block, type Look, table, toTerminal } from 'salvo/kit/report';
import { formatPlural } from 'salvo/kit/stats';
import type { Rule } from '../../blue/rules/rules.ts';

/** Rules for `salvo rules`: one or two in full, more in a table. */
export function renderRules(rules: readonly Rule[], look: Look): string {
  const report: Block[] = [
    ...(rules.length <= 2 ? rules.map(ruleInFull) : [ruleTable(rules)]),
    { lines: [{ text: formatPlural(rules.length, 'rule'), tone: 'dim' }] },
  ];
  return toTerminal(report, look, { narrowest: 40, widest: 140 });
}

function ruleInFull(rule: Rule): Block {
  const { id, slug, category, severity, cwe } = rule;
  return {
    heading: rule.title,
    lines: [
      { text: [id, slug, category, severity, ...cwe.map((number) => `CWE-${number}`)].join(', '), tone: 'dim' },
      rule.description,
      `Fix: ${rule.fix}`,
      { text: `Looks at ${typesOf(rule).join(', ')}`, tone: 'dim' },
    ],
  };
}

function ruleTable(rules: readonly Rule[]): Block {
  return table(rules, [
    { header: 'Rule', priority: 9, cell: ({ id: text }) => ({ text, tone: 'cyan' }) },
    { header: 'Severity', priority: 5, cell: ({ severity }) => severity },
    { header: 'Category', priority: 4, cell: ({ category }) => category },
    { header: 'Reads', priority: 2, cell: (rule) => ({ text: languagesOf(rule).join(', '), tone: 'dim' }) },
    { header: 'What', priority: 8, min: 20, cell: ({ title }) => title },
  ]);
}

function languagesOf({ terraform, cloudformation }: Rule): string[] {
  return [...(terraform.length > 0 ? ['tf'] : []), ...(cloudformation.length > 0 ? ['cfn'] : [])];
}

function typesOf({ terraform, cloudformation }: Rule): string[] {
  return [...new Set([...terraform, ...cloudformation].flatMap(({ types }) => types))];
}
