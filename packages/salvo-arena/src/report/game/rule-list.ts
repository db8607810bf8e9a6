import { type Canvas, joinBlocks, type Look, renderFor, renderTable, wrap } from 'salvo/kit/report';
import { formatPlural } from 'salvo/kit/stats';
import type { Rule } from '../../blue/rules/rules.ts';

/** Rules for `salvo rules`: one or two in full, more in a table. */
export function renderRules(rules: readonly Rule[], look: Look): string {
  return renderFor(look, (canvas) => ruleBlocks(rules, canvas), { narrowest: 40, widest: 140 });
}

function ruleBlocks(rules: readonly Rule[], { width, style }: Canvas): string {
  const inFull = (rule: Rule): string[] => [
    style.bold(rule.title),
    style.dim([rule.id, rule.slug, rule.category, rule.severity, ...rule.cwe.map((cwe) => `CWE-${cwe}`)].join(', ')),
    ...wrap(rule.description, width),
    ...wrap(`Fix: ${rule.fix}`, width),
    ...wrap(`Looks at ${typesOf(rule).join(', ')}`, width).map(style.dim),
  ];
  const table = renderTable({
    columns: [
      { key: 'id', header: 'Rule', priority: 9 },
      { key: 'severity', header: 'Severity', priority: 5 },
      { key: 'category', header: 'Category', priority: 4 },
      { key: 'languages', header: 'Reads', priority: 2 },
      { key: 'title', header: 'What', priority: 8, min: 20 },
    ],
    rows: rules.map((rule) => ({
      id: { text: rule.id, paint: style.cyan },
      severity: { text: rule.severity },
      category: { text: rule.category },
      languages: { text: languagesOf(rule).join(', '), paint: style.dim },
      title: { text: rule.title },
    })),
    width,
    style,
  }).lines;
  const blocks = [
    ...(rules.length <= 2 ? rules.map(inFull) : [table]),
    [style.dim(formatPlural(rules.length, 'rule'))],
  ];
  return joinBlocks(blocks);
}

function languagesOf({ terraform, cloudformation }: Rule): string[] {
  return [...(terraform.length > 0 ? ['tf'] : []), ...(cloudformation.length > 0 ? ['cfn'] : [])];
}

function typesOf({ terraform, cloudformation }: Rule): string[] {
  return [...new Set([...terraform, ...cloudformation].flatMap(({ types }) => types))];
}
