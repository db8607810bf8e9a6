import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../iac/edit/edits.ts';
import { createScope } from '../../iac/evaluate/scope.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { operatorsFor } from './operators.ts';

const found = operatorsFor('terraform').find(({ id }) => id === 'vpc-no-flow-logs');
if (!found) throw new Error('there is no operator for flow logs');
const flowLogs = found;
const target = { address: 'aws_vpc.main', file: 'main.tf', attribute: null, related: [] };

const VPC = 'resource "aws_vpc" "main" {\n  cidr_block = "10.0.0.0/16"\n}\n';
const log = (...lines: string[]) =>
  `\nresource "aws_flow_log" "main" {\n${['vpc_id = aws_vpc.main.id', ...lines].map((line) => `  ${line}\n`).join('')}}\n`;

const ask = async (code: string) => {
  const project = await parseCode({ 'main.tf': code });
  const scope = createScope(project);
  return { project, targets: flowLogs.targets(project, scope), isPresent: flowLogs.isPresent(scope, target) };
};

describe('an operator for a missing companion', () => {
  it('has resources with a companion as targets, and removes the companion', async () => {
    const code = VPC + log();
    const { project, targets, isPresent } = await ask(code);
    expect(targets).toEqual([target]);
    expect(isPresent).toBe(false);
    const [edit] = flowLogs.apply(project, target);
    expect(applyEdits(code, edit?.edits ?? [])).toBe(VPC);
    expect((await ask(VPC)).isPresent).toBe(true);
  });

  it('ignores a companion with no instances', async () => {
    expect((await ask(VPC + log('count  = 0'))).isPresent).toBe(true);
    const off = 'variable "logs" {\n  default = false\n}\n';
    expect((await ask(off + VPC + log('count  = var.logs ? 1 : 0'))).isPresent).toBe(true);
  });

  it('ignores a companion of another resource', async () => {
    const other = 'resource "aws_vpc" "other" {\n  cidr_block = "10.1.0.0/16"\n}\n';
    expect((await ask(VPC + other + log().replace('aws_vpc.main', 'aws_vpc.other'))).isPresent).toBe(true);
  });

  it('names the companion as the guard, unless something else refers to it', async () => {
    const { project } = await ask(VPC + log());
    expect(flowLogs.guard(project, target)).toBe('aws_flow_log.main');
    const needed = await ask(`${VPC}${log()}output "log" {\n  value = aws_flow_log.main.id\n}\n`);
    expect(needed.targets).toEqual([]);
    expect(flowLogs.guard(needed.project, target)).toBeNull();
  });
});
