import { readdirSync, readFileSync } from 'node:fs';

/**
 * A piece of code for a rule, from `src/arena/blue/rules/cases/*.txt`, under a line with the id of the rule:
 *
 *     - aws_ebs_volume          flawed: the body of a block of this type, or a whole file of a language
 *     >   encrypted = false     the finding points here; at the head of the block when there is no such line
 *     + aws_ebs_volume          without this flaw
 *         encrypted = true
 */
export interface RuleCase {
  rule: string;
  language: 'terraform' | 'cloudformation';
  code: string;
  /** Null for code without the flaw. */
  line: number | null;
}

const folder = new URL('../../src/blue/rules/cases/', import.meta.url);

export function readRuleCases(): RuleCase[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => casesOf(readFileSync(new URL(file, folder), 'utf8')));
}

function casesOf(text: string): RuleCase[] {
  return text.split(/^(?=# )/m).flatMap((section) => {
    const [, rule = ''] = /^# (\S+)/.exec(section) ?? [];
    return section
      .split(/^(?=[-+] )/m)
      .slice(1)
      .map((part) => caseOf(rule, part.trimEnd().split('\n')));
  });
}

function caseOf(rule: string, [head = '', ...body]: string[]): RuleCase {
  const type = head.slice(2);
  const lines = body.map((line) => line.slice(4));
  const isTemplate = type === 'cloudformation' || type.includes('::');
  const marked = body.findIndex((line) => line.startsWith('>'));
  const before =
    type === 'terraform' || type === 'cloudformation'
      ? []
      : isTemplate
        ? templateHead(type, lines)
        : [`resource "${type}" "it" {`];
  const after = before.length > 0 && !isTemplate ? ['}'] : [];
  const indent = isTemplate && before.length > 0 ? '      ' : '';
  const code = [...before, ...lines.map((line) => indent + line), ...after].join('\n');
  const headLine = isTemplate ? 2 : 1;
  const line = marked < 0 ? headLine : before.length + marked + 1;
  return {
    rule,
    language: isTemplate ? 'cloudformation' : 'terraform',
    code,
    line: head.startsWith('-') ? line : null,
  };
}

function templateHead(type: string, lines: readonly string[]): string[] {
  return ['Resources:', '  It:', `    Type: ${type}`, ...(lines.length > 0 ? ['    Properties:'] : [])];
}
