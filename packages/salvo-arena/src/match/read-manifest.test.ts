import { describe, expect, it } from 'vitest';
import { untyped } from '../../test/match/untyped.ts';
import { REPORT_NAMES, report, reportText } from '../../test/match-import/report-fixture.ts';
import { JudgeError } from './claims/judge-error.ts';
import { readManifest, vulnerabilityRecords } from './read-manifest.ts';

const VULNERABILITY = { id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data' };

describe('readManifest', () => {
  it.each([
    ['a bare list', [VULNERABILITY]],
    ['vulnerabilities', { vulnerabilities: [VULNERABILITY] }],
    ['injected_vulnerabilities', { injected_vulnerabilities: [VULNERABILITY] }],
    ['manifest', { manifest: [VULNERABILITY] }],
    ['a manifest inside of a wrapper', { manifest: { vulnerabilities: [VULNERABILITY] } }],
    ['a JSON text', JSON.stringify([VULNERABILITY])],
    ['a text with a byte order mark', `\ufeff${JSON.stringify([VULNERABILITY])}`],
    ['JSON Lines', `${JSON.stringify(VULNERABILITY)}\n`],
  ])('reads %s', (_, input) => {
    expect(readManifest(input).vulnerabilities).toMatchObject([VULNERABILITY]);
  });

  it('knows the aliases, and gives a missing id', () => {
    const { vulnerabilities } = readManifest(reportText('manifest.json'));
    expect(vulnerabilities).toMatchObject([
      {
        id: 'V1',
        type: 'encryption',
        resource: 'aws_db_instance.bookings',
        severity: 'high',
        technique: 'wrong value',
      },
      { id: 'V2', type: 'network', difficulty: 'easy' },
      { id: '#3', type: 'access_control', resource: 'aws_s3_bucket.tickets' },
    ]);
  });

  it('keeps the other fields of the manifest, and each list under one name only', () => {
    expect(Object.keys(readManifest(reportText('manifest.json')))).toEqual(['task', 'vulnerabilities']);
    const nested = readManifest({ by: 'red', manifest: { model: 'm', vulnerabilities: [] } });
    expect(nested).toEqual({ by: 'red', model: 'm', vulnerabilities: [] });
  });

  it('may be empty', () => {
    expect(readManifest([])).toEqual({ vulnerabilities: [] });
    expect(untyped(readManifest)({ vulnerabilities: null })).toEqual({ vulnerabilities: [] });
  });

  it('says which entry is not an object', () => {
    expect(() => untyped(readManifest)([VULNERABILITY, 'v2'], { name: 'red.json' })).toThrow(
      'red.json: entry 2 of the vulnerabilities is a text, not an object.',
    );
  });

  it('says where the JSON is broken', () => {
    expect(() => readManifest('{"vulnerabilities": [}', { name: 'red.json' })).toThrow(
      'red.json:1:22: this is not JSON',
    );
  });

  it.each(REPORT_NAMES)('does not read %s as a manifest', (name) => {
    expect(() => untyped(readManifest)(report(name), { name })).toThrow(JudgeError);
  });

  it.each([
    ['a list of findings', { findings: [] }],
    ["Checkov's JSON report", report('checkov.json')],
    ["Snyk IaC's JSON report", report('snyk.json')],
    ['an object with "a"', { a: 1 }],
    ['the JSON value null', null],
  ])('says that it looks like %s', (likeness, input) => {
    expect(() => untyped(readManifest)(input)).toThrow(`looks like ${likeness}`);
  });

  it('says that the list is missing', () => {
    expect(() => readManifest({ manifest: {} }, { name: 'red.json' })).toThrow(
      'red.json has no list of vulnerabilities.',
    );
  });
});

describe('vulnerabilityRecords', () => {
  it('are a list as it is, or the list in a container', () => {
    expect(vulnerabilityRecords([VULNERABILITY])).toEqual([VULNERABILITY]);
    expect(vulnerabilityRecords({ vulnerabilities: [VULNERABILITY], author: 'red' })).toEqual([VULNERABILITY]);
  });

  it('are read from every other form of a manifest', () => {
    expect(vulnerabilityRecords({ injected_vulnerabilities: [VULNERABILITY] })).toMatchObject([VULNERABILITY]);
    expect(vulnerabilityRecords(JSON.stringify([VULNERABILITY]))).toMatchObject([VULNERABILITY]);
  });

  it('must be objects, and the message names the first that is not', () => {
    const records = untyped(vulnerabilityRecords);
    expect(() => records([VULNERABILITY, null])).toThrow('vulnerabilities[1] is empty. Make every entry an object');
    expect(() => records({ vulnerabilities: [7] })).toThrow(expect.objectContaining({ code: 'MANIFEST_INVALID' }));
  });

  it.each([undefined, null, 7, true, {}, 'hello'])('cannot be read from %j', (input) => {
    expect(() => untyped(vulnerabilityRecords)(input)).toThrow(expect.objectContaining({ name: 'JudgeError' }));
  });
});
