import { describe, expect, it } from 'vitest';
import { findingRecords, vulnerabilityRecords } from './match-input-records.ts';

const entry = { type: 'encryption', resource: 'aws_s3_bucket.data' };

describe('the records of a game', () => {
  it('are a list as it is, or the list in a container', () => {
    expect(vulnerabilityRecords([entry])).toEqual([entry]);
    expect(vulnerabilityRecords({ vulnerabilities: [entry], author: 'red' })).toEqual([entry]);
    expect(findingRecords([entry])).toEqual([entry]);
    expect(findingRecords({ findings: [entry] })).toEqual([entry]);
  });

  it('are read from whatever else can be read', () => {
    expect(vulnerabilityRecords({ injected_vulnerabilities: [entry] })).toMatchObject([entry]);
    expect(vulnerabilityRecords(JSON.stringify([entry]))).toMatchObject([entry]);
    expect(findingRecords({ detected_vulnerabilities: [entry] })).toMatchObject([entry]);
    const checkov = { check_type: 'terraform', results: { passed_checks: [], failed_checks: [] } };
    expect(findingRecords([checkov])).toEqual([]);
  });

  it('have to be objects, and the first that is none is named', () => {
    expect(() => vulnerabilityRecords([entry, null])).toThrow(
      'vulnerabilities[1] is empty. Make every entry an object',
    );
    expect(() => findingRecords([entry, entry, 'x'])).toThrow('findings[2] is a text');
    expect(() => findingRecords([[]])).toThrow(expect.objectContaining({ code: 'bad_findings' }));
    expect(() => vulnerabilityRecords({ vulnerabilities: [7] })).toThrow(
      expect.objectContaining({ code: 'bad_manifest' }),
    );
  });

  it.each([undefined, null, 7, true, {}, 'hello'])('are not to be had from %j', (input) => {
    expect(() => vulnerabilityRecords(input)).toThrow(expect.objectContaining({ name: 'JudgeError' }));
    expect(() => findingRecords(input)).toThrow(expect.objectContaining({ name: 'JudgeError' }));
  });
});
