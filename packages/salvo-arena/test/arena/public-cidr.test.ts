import { describe, expect, it } from 'vitest';
import { runRules } from '../../src/blue/rules/run-rules.ts';
import { checkManifest } from '../../src/gate/check-manifest.ts';
import { createScope } from '../../src/iac/evaluate/scope.ts';
import { parseCode } from '../../src/iac/syntax/parse-code.ts';
import { operatorsFor } from '../../src/red/operators/operators.ts';

const PUBLIC = ['0.0.0.0/0', '0.0.0.0/1', '128.0.0.0/1', '::/0', '2000::/3'];
const LIMITED = ['10.0.0.0/8', '203.0.113.0/24', '198.51.100.7/32', 'fd00::/8', '2001:db8::/32'];
const CIDRS = [...PUBLIC.map((cidr) => [cidr, true] as const), ...LIMITED.map((cidr) => [cidr, false] as const)];

const code = (attribute: string, cidr: string) => `resource "aws_security_group" "web" {
  ingress {
    from_port = 22
    to_port   = 22
    protocol  = "tcp"
    ${attribute} = ["${cidr}"]
  }
}
`;
const attributeFor = (cidr: string) => (cidr.includes(':') ? 'ipv6_cidr_blocks' : 'cidr_blocks');

describe.each(CIDRS)('%s is public: %s, for', (cidr, isPublic) => {
  it('the rules', async () => {
    const project = await parseCode({ 'main.tf': code(attributeFor(cidr), cidr) });
    const weaknesses = runRules(project).map(({ rule_ids }) => rule_ids?.[0]);
    expect(weaknesses.includes('sg-ingress-ssh-open')).toBe(isPublic);
  });

  it('the gate', async () => {
    const claim = {
      id: 'V1',
      resource: 'aws_security_group.web',
      type: 'network',
      title: 'SSH is open to the internet',
    };
    const files = { 'main.tf': code(attributeFor(cidr), cidr) };
    const { entries } = await checkManifest({ files, vulnerabilities: [claim] });
    expect(entries.map(({ status }) => status)).toEqual([isPublic ? 'confirmed' : 'phantom']);
  });

  it('the operators', async () => {
    const operator = operatorsFor('terraform').find(({ id }) => id === 'sg-ingress-ssh-open');
    const scope = createScope(await parseCode({ 'main.tf': code('cidr_blocks', cidr) }));
    const target = { address: 'aws_security_group.web', file: 'main.tf', attribute: null, related: [] };
    expect(operator?.isPresent(scope, target)).toBe(isPublic);
  });
});
