import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalFinding, canonicalVulnerability } from './canonical-entries.ts';
import { findingSchema } from './finding.ts';
import { readClaim } from './read-claim.ts';
import { vulnerabilitySchema } from './vulnerability.ts';

describe('a claim', () => {
  it('of an empty record is empty', () => {
    expect(readClaim({})).toEqual({
      type: '',
      resources: [],
      severity: null,
      title: '',
      description: '',
      evidence: '',
      attributes: [],
      file: null,
      line: null,
      end_line: null,
      rule_ids: [],
      locations: [],
    });
  });

  it.each([
    ['vulnerability_type', 'type', 'encryption'],
    ['vuln_type', 'type', 'encryption'],
    ['vulnerabilityType', 'type', 'encryption'],
    ['category', 'type', 'encryption'],
    ['name', 'title', 'Open bucket'],
    ['message', 'description', 'It is open.'],
    ['details', 'description', 'It is open.'],
    ['snippet', 'evidence', 'acl = "public"'],
    ['code', 'evidence', 'acl = "public"'],
    ['file_path', 'file', 'main.tf'],
    ['filename', 'file', 'main.tf'],
    ['path', 'file', 'main.tf'],
  ] as const)('reads %s as %s', (alias, field, value) => {
    expect(readClaim({ [alias]: value })[field]).toBe(value);
    expect(readClaim({ [alias]: value })[field]).toBe(value);
  });

  it.each(['resource', 'resource_name', 'target_resource', 'resources', 'resource_address', 'resourceName'])(
    'reads its resources from %s',
    (alias) => {
      expect(readClaim({ [alias]: 'aws_s3_bucket.data' }).resources).toEqual(['aws_s3_bucket.data']);
    },
  );

  it('uses the first name that has a value', () => {
    const record = { category: 'c', vuln_type: 'b', type: null, vulnerability_type: '  ', title: [], name: 'n' };
    expect(readClaim(record)).toMatchObject({ type: 'b', title: 'n' });
    expect(readClaim({ category: 'c', type: 'a' }).type).toBe('a');
    expect(readClaim({ title: { nested: true }, name: 'n' }).title).toBe('n');
  });

  it('reads a severity in any case', () => {
    expect(readClaim({ severity: ' High ' }).severity).toBe('high');
    expect(readClaim({ severity: 'whatever' }).severity).toBeNull();
    expect(readClaim({ severity: 7 }).severity).toBeNull();
  });

  it('may be about several resources', () => {
    expect(readClaim({ resource: ['a.b', null, 'c.d', 3] }).resources).toEqual(['a.b', 'c.d', '3']);
    expect(readClaim({ resource: 'a.b, c.d["x,y"]; e.f' }).resources).toEqual(['a.b', 'c.d["x,y"]', 'e.f']);
  });

  it('reads a resource that is an object', () => {
    expect(readClaim({ resource: { type: 'aws_s3_bucket', name: 'data' } }).resources).toEqual(['aws_s3_bucket.data']);
    expect(readClaim({ resources: [{ address: 'a.b' }, { id: 'c' }, {}] }).resources).toEqual(['a.b', 'c']);
  });

  it('completes a bare name with the type next to it', () => {
    const named = (name: string, type: string) => readClaim({ resource_name: name, resource_type: type }).resources;
    expect(named('data', 'aws_s3_bucket')).toEqual(['aws_s3_bucket.data']);
    expect(named('Data', 'AWS::S3::Bucket')).toEqual(['AWS::S3::Bucket.Data']);
    expect(named('aws_s3_bucket.data', 'aws_s3_bucket')).toEqual(['aws_s3_bucket.data']);
    expect(named('data', 'S3 bucket')).toEqual(['data']);
    expect(named('aws_s3_bucket', 'aws_s3_bucket')).toEqual(['aws_s3_bucket']);
    expect(named('the data bucket', 'aws_s3_bucket')).toEqual(['the data bucket']);
  });

  it('collects rule ids from every field that has some', () => {
    const record = { cwe: [311, '200', 'CWE-284: Access'], rule_ids: ['B', 'A'], check_id: 'A', rule_id: 'C, D' };
    expect(readClaim(record).rule_ids).toEqual(['C', 'D', 'A', 'B', 'CWE-311', 'CWE-200', 'CWE-284']);
  });

  it('reads attributes from a text or a list', () => {
    expect(readClaim({ vulnerable_attribute: 'acl' }).attributes).toEqual(['acl']);
    expect(readClaim({ attributes: ['acl', 'policy'] }).attributes).toEqual(['acl', 'policy']);
    expect(readClaim({ attribute: 'acl, policy' }).attributes).toEqual(['acl', 'policy']);
  });

  it('reads the place from one field or several', () => {
    const place = (record: Record<string, unknown>) => {
      const { file, line, end_line } = readClaim(record);
      return [file, line, end_line];
    };
    expect(place({ file: 'a.tf', line: 3, end_line: 9 })).toEqual(['a.tf', 3, 9]);
    expect(place({ file: '.\\modules\\a.tf', line_number_estimate: '12-15' })).toEqual(['modules/a.tf', 12, 15]);
    expect(place({ file: './a.tf:12' })).toEqual(['a.tf', 12, null]);
    expect(place({ file: 'a.tf:12', line: 13 })).toEqual(['a.tf', 13, null]);
    expect(place({ file: 'C:\\x\\a.tf:12-14' })).toEqual(['C:/x/a.tf', 12, 14]);
    expect(place({ location: 'a.tf#L3-L4' })).toEqual(['a.tf', 3, 4]);
    expect(place({ location: { file: 'a.tf', start_line: 3, end_line: 4 } })).toEqual(['a.tf', 3, 4]);
    expect(place({ location: { location: { file: 'a.tf' } } })).toEqual([null, null, null]);
    expect(place({ start_line: 9, end_line: 3 })).toEqual([null, 9, null]);
    expect(place({ line: 0, end_line: 3 })).toEqual([null, null, null]);
  });

  it('is the same for a record and for its canonical form', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        expect(readClaim(canonicalFinding(record))).toEqual(readClaim(record));
        expect(readClaim(canonicalVulnerability(record, 0))).toEqual(readClaim(record));
      }),
    );
  });
});

describe('a canonical document', () => {
  it('has the field names of the schema, and keeps unknown fields', () => {
    const record = {
      vuln_id: 7,
      vulnerability_type: 'encryption',
      target_resource: ['a.b', 'c.d'],
      severity: 'HIGH',
      name: 'Open',
      stealth_technique: 'default',
      line_number_estimate: '12',
      check_id: 'CKV_AWS_19',
      confidence: 'high',
      mine: { deep: [1] },
    };
    expect(canonicalVulnerability(record, 3)).toEqual({
      id: '7',
      type: 'encryption',
      resource: ['a.b', 'c.d'],
      severity: 'high',
      title: 'Open',
      technique: 'default',
      line: 12,
      rule_ids: ['CKV_AWS_19'],
      confidence: 'high',
      mine: { deep: [1] },
    });
  });

  it('of a finding has its first rule id in a field of its own, and keeps an id as it is', () => {
    const record = { id: 7, rule_id: 'A', cwe: 1, fix: 'Do.', confidence: '90%', tool: 'trivy', technique: 't' };
    expect(canonicalFinding(record)).toEqual({
      id: 7,
      rule_id: 'A',
      rule_ids: ['CWE-1'],
      remediation: 'Do.',
      confidence: 0.9,
      source: 'trivy',
      technique: 't',
    });
  });

  it('gives a vulnerability without an id its position as id', () => {
    expect(canonicalVulnerability({ id: '' }, 0).id).toBe('#1');
    expect(canonicalVulnerability({ id: null, vuln_id: [] }, 41).id).toBe('#42');
  });

  it('keeps an unknown severity as it is written', () => {
    expect(canonicalFinding({ severity: 'P1' }).severity).toBe('P1');
  });

  it('drops a known field that cannot be read', () => {
    expect(
      canonicalFinding({ title: { a: 1 }, line: 'soon', confidence: 'sure', rule_ids: 3.5, resource: {} }),
    ).toEqual({
      rule_id: '3.5',
    });
  });

  it('keeps an alias that was not used', () => {
    expect(canonicalFinding({ title: 'a', name: 'b' })).toEqual({ title: 'a', name: 'b' });
  });

  it('cannot be given another prototype', () => {
    const record: unknown = JSON.parse('{"__proto__": {"type": "encryption"}, "constructor": "x", "title": "t"}');
    const finding = canonicalFinding(record as Record<string, unknown>);
    expect(Object.getPrototypeOf(finding)).toBe(Object.prototype);
    expect(readClaim(record as Record<string, unknown>).type).toBe('');
    expect(Object.keys(finding)).toEqual(['title', 'constructor']);
  });

  it('satisfies its schema, whatever the record contained', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        expect(() => findingSchema.parse(canonicalFinding(record))).not.toThrow();
        expect(() => vulnerabilitySchema.parse(canonicalVulnerability(record, 0))).not.toThrow();
      }),
    );
  });
});

const aliases = [
  ...['id', 'vuln_id', 'type', 'vuln_type', 'category', 'resource', 'resource_name', 'resources', 'resource_type'],
  ...['severity', 'title', 'name', 'description', 'message', 'evidence', 'code', 'file', 'path', 'location', 'line'],
  ...['start_line', 'end_line', 'attribute', 'rule_id', 'rule_ids', 'cwe', 'confidence', 'remediation', 'source'],
  ...['technique', 'difficulty', 'other', '__proto__'],
];
const anyValue = fc.oneof(
  fc.constantFrom(
    'HIGH',
    'data',
    'aws_s3_bucket',
    'aws_s3_bucket.data',
    'main.tf:3',
    '12-15',
    'a, b',
    '90%',
    ' ',
    '311',
  ),
  fc.constantFrom(null, undefined, true, 0, -1, 3, 2.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300),
  fc.array(fc.oneof(fc.string(), fc.nat(30), fc.constant(null), fc.array(fc.string())), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('type', 'name', 'file', 'line', 'address'), fc.oneof(fc.string(), fc.nat(9)), {
    maxKeys: 3,
  }),
  fc.anything(),
);
const anyRecord = fc.dictionary(fc.constantFrom(...aliases), anyValue, { maxKeys: 12 });
