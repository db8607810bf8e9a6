import { describe, expect, it } from 'vitest';
import { attributePath, plainPath } from './attribute-path.ts';

describe('attributePath', () => {
  it('takes dots as steps', () => {
    expect(attributePath('a.b_c')).toEqual([
      { name: 'a', where: null },
      { name: 'b_c', where: null },
    ]);
  });

  it('takes what is in brackets as a choice among several, dots and all', () => {
    expect(attributePath('Attributes[Key=access_logs.s3.enabled].Value')).toEqual([
      { name: 'Attributes', where: { name: 'Key', value: 'access_logs.s3.enabled' } },
      { name: 'Value', where: null },
    ]);
  });

  it('takes a key in quotes as one step', () => {
    expect(attributePath('Parameters."rds.force_ssl"').map(({ name }) => name)).toEqual([
      'Parameters',
      'rds.force_ssl',
    ]);
  });
});

describe('plainPath', () => {
  it('leaves out choices, as manifests do', () => {
    expect(plainPath('parameter[name=tls].value')).toBe('parameter.value');
  });
});
