import { describe, expect, it } from 'vitest';
import type { Json } from '../evaluate/value.ts';
import { jsonNode } from './code-node.ts';
import { networkRule, networkRulesBelow } from './network-rules.ts';

const nodeOf = (json: Json) => jsonNode(json, { file: 'a.tf', line: 1, end_line: 1, text: '' }, false);
const ruleOf = (json: Json) => networkRule(nodeOf(json));
const UNKNOWN = `\${var.x}`;

describe('a network rule', () => {
  it.each<[Json]>([
    [{ cidr_blocks: ['10.0.0.0/8', '0.0.0.0/0'], from_port: 22, to_port: '22', protocol: 'TCP' }],
    [{ CidrIp: '0.0.0.0/1', FromPort: 22, ToPort: 22, IpProtocol: 'tcp' }],
    [{ Ipv6CidrBlock: '::/0', PortRange: { From: 22, To: 22 }, Protocol: 'tcp' }],
  ])('reads both languages alike: %j', (json) => {
    expect(ruleOf(json)).toMatchObject({ isPublic: true, protocol: 'tcp', ports: [22, 22] });
  });

  it('is about all ports and protocols when it does not limit them', () => {
    expect(ruleOf({ cidr_ipv4: '0.0.0.0/0' })).toMatchObject({ protocol: 'all', ports: [0, 65_535] });
    expect(ruleOf({ cidr_ipv4: '0.0.0.0/0', ip_protocol: -1, from_port: 5 })).toMatchObject({ ports: [0, 65_535] });
  });

  it('is limited, or unknown', () => {
    expect(ruleOf({ cidr_blocks: ['10.0.0.0/8'] })?.isPublic).toBe(false);
    expect(ruleOf({ cidr_blocks: ['10.0.0.0/8', UNKNOWN] })?.isPublic).toBeNull();
    expect(ruleOf({ cidr_blocks: [UNKNOWN, '::/0'] })?.isPublic).toBe(true);
    expect(ruleOf({ cidr_blocks: [], protocol: UNKNOWN, from_port: UNKNOWN })).toMatchObject({
      protocol: null,
      ports: null,
    });
  });

  it('is none without address ranges', () => {
    expect(ruleOf({ from_port: 22 })).toBeNull();
    expect(ruleOf(UNKNOWN)).toBeNull();
  });

  it('has a direction, by itself or by what is around it', () => {
    const cidr = { cidr_block: '0.0.0.0/0' };
    expect(ruleOf({ ...cidr, type: 'egress' })?.direction).toBe('out');
    expect(ruleOf({ ...cidr, rule_action: 'allow' })).toMatchObject({ direction: 'in', action: 'allow' });
    expect(ruleOf({ ...cidr, rule_action: 'ALLOW', egress: 'true' })).toMatchObject({
      direction: 'out',
      action: 'allow',
    });
    expect(ruleOf({ ...cidr, rule_action: 'allow', egress: UNKNOWN })?.direction).toBeNull();
    const group = nodeOf({ ingress: [{ cidr_blocks: ['10.0.0.0/8'] }], SecurityGroupEgress: [{ CidrIp: '::/0' }] });
    expect(networkRulesBelow(group, null).map(({ direction }) => direction)).toEqual(['in', 'out']);
  });

  it('is not searched for ever in deep code', () => {
    let deep: Json = { cidr_blocks: ['0.0.0.0/0'] };
    for (let depth = 0; depth < 100; depth += 1) deep = { ingress: [deep] };
    expect(networkRulesBelow(nodeOf(deep), null)).toEqual([]);
  });
});
