import { describe, expect, it } from 'vitest';
import { untyped } from '../../test/match/untyped.ts';
import { REPORTS, report, reportText } from '../../test/match-import/report-fixture.ts';
import { JudgeError } from './claims/judge-error.ts';
import {
  findingRecords,
  readFindings,
  readFindingsFromText,
  readToolClaims,
  type ToolFindingsInput,
} from './read-findings.ts';

const FINDING = { type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'high' };

function problemOf(read: () => unknown): JudgeError {
  try {
    read();
  } catch (error) {
    if (error instanceof JudgeError) return error;
    throw error;
  }
  throw new Error('it was read');
}

describe('readFindings', () => {
  it.each([
    ['a bare list', [FINDING]],
    ['findings', { findings: [FINDING], agent: 'blue' }],
    ['detected_vulnerabilities', { detected_vulnerabilities: [FINDING] }],
    ['issues', { issues: [FINDING] }],
    ['results', { results: [FINDING] }],
    ['a list inside of a wrapper', { results: { findings: [FINDING] } }],
    ['one finding', FINDING],
    ['a JSON text', JSON.stringify({ findings: [FINDING] })],
    ['a text with a byte order mark', `\ufeff${JSON.stringify([FINDING])}`],
    ['JSON Lines', `${JSON.stringify(FINDING)}\n`],
  ])('reads %s', (_, input) => {
    expect(readFindings(input)).toMatchObject([FINDING]);
  });

  it('knows the aliases', () => {
    expect(readFindings(reportText('findings.json'))).toMatchObject([
      { type: 'encryption', severity: 'high', line: 28, confidence: 0.9 },
      { type: 'access_control', resource: 'tickets', severity: 'critical', line: 13 },
      { type: 'network', resource: 'aws_security_group.web', attribute: 'cidr_blocks' },
    ]);
    expect(readFindings(reportText('findings.jsonl'))).toHaveLength(2);
  });

  it('knows the heads of columns of a table', () => {
    const row = { 'Resource Name': 'aws_kms_key.a', 'Rule ID': 'CKV_AWS_7', Title: 'No rotation', 'File Path': 'a.tf' };
    expect(readFindings([row])).toEqual([
      { resource: 'aws_kms_key.a', rule_id: 'CKV_AWS_7', title: 'No rotation', file: 'a.tf' },
    ]);
  });

  it.each([
    ['Checkov', { passed: 0, failed: 0, skipped: 0, resource_count: 0, checkov_version: '3.2.0' }],
    ['KICS', { kics_version: 'v2.1.3', files_scanned: 0, queries: [] }],
  ])(
    'refuses a report of %s that says that nothing was looked at, which is not the same as nothing found',
    (_, seen) => {
      expect(() => readFindings(seen, { name: 'report.json' })).toThrow(
        /^report\.json: the scanner looked at nothing: .* Check the path/,
      );
      const [count] = ['resource_count', 'files_scanned'].filter((key) => key in seen);
      expect(readFindings({ ...seen, [count ?? '']: 3 })).toEqual([]);
    },
  );

  it.each([
    ["cfn-lint's JSON report", [{ Filename: 'a.yaml', Message: 'x', Rule: { Id: 'W1' }, Location: { Path: [] } }]],
    ['events in the OCSF form', [{ class_uid: 2004, finding_info: {}, message: 'x', severity: 'High' }]],
    ['a list of objects with "foo"', [{ foo: 1 }, { bar: 2 }]],
  ])('refuses %s rather than counting each entry as a false alarm', (what, entries) => {
    expect(() => readFindings(entries)).toThrow(what);
  });

  it('reads no findings from an empty list, also when it is written as null', () => {
    for (const empty of [[], '[]', { findings: [] }, { findings: null }, { results: null }]) {
      expect(readFindings(empty)).toEqual([]);
    }
  });

  it.each(Object.entries(REPORTS))(
    'recognises %s as %s, and reads the same when the format is given',
    (name, format) => {
      const detected = readFindings(report(name));
      expect(detected.length).toBeGreaterThan(0);
      expect(readFindings(report(name), { format })).toEqual(detected);
      expect(readFindings(`\ufeff${reportText(name)}`)).toEqual(detected);
    },
  );

  it('finds reports between the lines of a log', () => {
    const log = '2026-03-01 [INFO] scanning\n';
    expect(readFindings(`${log}${reportText('checkov.json')}\n${log}`)).toEqual(readFindings(report('checkov.json')));
    const guard = JSON.stringify(report('cfn-guard-old.json'));
    expect(readFindings(`template.yaml Status = FAIL\n---\n${guard}${guard}`)).toHaveLength(2);
  });

  it('reads several reports that follow each other', () => {
    const both = `${JSON.stringify(report('tfsec.json'))}\n${JSON.stringify(report('kics.json'))}\n`;
    expect(new Set(readFindings(both).map(({ source }) => source))).toEqual(new Set(['tfsec', 'kics']));
  });

  it('says which entry is not an object', () => {
    expect(problemOf(() => readFindings([FINDING, null], { name: 'blue.json' })).message).toBe(
      'blue.json: findings[1] is empty. Make every entry an object, such as {"type": "encryption", "resource": "aws_s3_bucket.data"}.',
    );
    expect(problemOf(() => readFindings({ findings: ['a bucket is public'] })).message).toContain('findings[0]');
    expect(
      problemOf(() => readFindings('{"a": 1, "type": "x", "resource": "y"}\n3\n{}', { name: 'f' })).message,
    ).toContain('f:2:1');
  });

  it('says where the JSON is broken', () => {
    const { message, location, code } = problemOf(() =>
      readFindings('[\n  {"type": "x"},\n  {"type" "y"}\n]', { name: 'f.json' }),
    );
    expect(message).toMatch(/^f\.json:3:11: this is not JSON from here on: "y"/);
    expect(location).toEqual({ file: 'f.json', line: 3, column: 11 });
    expect(code).toBe('FINDINGS_INVALID');
    expect(problemOf(() => readFindings('[{"type": tru}]', { name: 'f' })).location).toEqual({
      file: 'f',
      line: 1,
      column: 14,
    });
  });

  it('says that a file is not complete', () => {
    const text = reportText('trivy.json');
    expect(problemOf(() => readFindings(text.slice(0, 2000), { name: 'f' })).message).toMatch(
      /^f:\d+:\d+: the JSON ends too early/,
    );
  });

  it('says which line of JSON Lines is broken', () => {
    const line = JSON.stringify(FINDING);
    expect(problemOf(() => readFindings(`${line}\n${line}\n{"type": \n${line}`, { name: 'f' })).location).toMatchObject(
      { line: 3 },
    );
  });

  it.each([
    ["Checkov's console output. Run it with -o json", 'Passed checks: 5, Failed checks: 2, Skipped checks: 0'],
    ['an empty file', ''],
    ['YAML', 'findings:\n  - type: x\n'],
    ['a manifest', { vulnerabilities: [FINDING] }],
    ['a manifest', reportText('manifest.json')],
    ['a Terraform plan', { format_version: '1.2', planned_values: {}, resource_changes: [] }],
    ['a Terraform state', { version: 4, terraform_version: '1.5.0', resources: [] }],
    ['a CloudFormation template', { Resources: { A: { Type: 'AWS::S3::Bucket' } } }],
    ['a package.json', { name: 'x', version: '1.0.0', scripts: {} }],
    ['a trace of Salvo', { messages: [], final_content: null, tool_calls_made: [] }],
    ['a SARIF log of a version before 2', { version: '1.0.0', runs: [] }],
    ['an object with "data"', { data: { findings: [] } }],
    ['an empty object', {}],
    ['a text', '"nothing found"'],
    ['a number', 3],
  ])('refuses %s', (likeness, input) => {
    const { message, code, location } = problemOf(() => untyped(readFindings)(input, { name: 'f.json' }));
    expect(message).toContain(`looks like ${likeness}`);
    expect(code).toBe('FINDINGS_FORMAT_UNKNOWN');
    expect(location?.file).toBe('f.json');
  });

  it('says what a file is when it does not have the given format', () => {
    const { message, code } = problemOf(() => readFindings(report('trivy.json'), { name: 'f', format: 'checkov' }));
    expect(message).toBe(
      "f: it is not Checkov's JSON report but looks like Trivy's JSON report. Leave the format out to have it detected.",
    );
    expect(code).toBe('FINDINGS_FORMAT_UNKNOWN');
    expect(problemOf(() => readFindings(report('trivy.json'), { format: 'salvo' })).message).toContain(
      "Trivy's JSON report",
    );
  });

  it('reads a list of vulnerabilities as findings when the format says so', () => {
    expect(readFindings({ vulnerabilities: [FINDING] }, { format: 'salvo' })).toMatchObject([FINDING]);
  });

  it('refuses deep nesting, however large the text', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(problemOf(() => readFindings(deep, { name: 'f' })).message).toContain('nested more than 200 levels');
    expect(problemOf(() => readFindings('{"a":'.repeat(100_000))).message).toContain('nested more than 200 levels');
  });

  it('treats keys that are names of methods as data', () => {
    const [finding] = readFindings(
      '{"findings": [{"type": "x", "__proto__": {"severity": "high"}, "constructor": 1}]}',
    );
    expect(finding?.severity).toBeUndefined();
    expect(({} as Record<string, unknown>).severity).toBeUndefined();
    expect(problemOf(() => readFindings('{"__proto__": {"findings": []}}')).code).toBe('FINDINGS_FORMAT_UNKNOWN');
  });
});

describe('readFindingsFromText', () => {
  const json = JSON.stringify({ findings: [FINDING] }, null, 2);

  it.each([
    ['nothing but JSON', json],
    ['a fenced block', `Here they are:\n\n\`\`\`json\n${json}\n\`\`\`\nThat is all.`],
    ['JSON between words', `I found this: ${JSON.stringify([FINDING])} and no more.`],
    ['a list of its own name', `{"vulnerabilities": [${JSON.stringify(FINDING)}]}`],
    [
      'a quote before it',
      `The policy is \`{"Statement": [{"Effect": "Allow"}]}\` and [1, 2].\n\`\`\`\n${json}\n\`\`\``,
    ],
    ['an empty list before it', `At first I had [] and then\n${json}`],
    ['a single finding', `\`\`\`json\n${JSON.stringify(FINDING)}\n\`\`\``],
    ['an answer that breaks off', `{"findings": [\n${JSON.stringify(FINDING)},\n{"type": "netw`],
  ])('reads %s', (_, answer) => {
    expect(readFindingsFromText(answer)).toMatchObject([FINDING]);
  });

  it('reads findings that are given one by one', () => {
    const other = { ...FINDING, type: 'network' };
    const answer = `1.\n\`\`\`json\n${JSON.stringify(FINDING)}\n\`\`\`\n2.\n\`\`\`json\n${JSON.stringify(other)}\n\`\`\``;
    expect(readFindingsFromText(answer)).toMatchObject([FINDING, other]);
    expect(readFindingsFromText(`${JSON.stringify(FINDING)}\n${JSON.stringify(other)}`)).toHaveLength(2);
  });

  it('reads an empty list as no findings', () => {
    expect(readFindingsFromText('```json\n{"findings": []}\n```')).toEqual([]);
    expect(readFindingsFromText('[]')).toEqual([]);
  });

  it("reads a scanner's report", () => {
    expect(readFindingsFromText(`\`\`\`json\n${reportText('tfsec.json')}\n\`\`\``)).toHaveLength(3);
  });

  it('reads an answer of any length that consists of JSON', () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ ...FINDING, resource: `aws_s3_bucket.data_${index}` }));
    expect(readFindingsFromText(JSON.stringify(many))).toHaveLength(5000);
  });

  it.each([
    ['  ', 'is empty'],
    ['There is nothing wrong with this code.', 'there is no JSON in it'],
    ['{"verdict": "fine"}', 'an object with "verdict"'],
    ['{"findings": ["a bucket is public"]}', 'findings[0] is a text'],
    ['[1, 2]', 'a list that begins with a number'],
    ['['.repeat(100_000), 'there is no JSON in it'],
    [`${'['.repeat(1000)}${']'.repeat(1000)}`, 'there is no JSON in it'],
  ])('refuses %.40s', (answer, reason) => {
    const { message, code } = problemOf(() => readFindingsFromText(answer));
    expect(message).toContain(reason);
    expect(code).toBe('FINDINGS_INVALID');
  });
});

describe('findingRecords', () => {
  it('are a list as it is, or the list in a container', () => {
    expect(findingRecords([FINDING])).toEqual([FINDING]);
    expect(findingRecords({ findings: [FINDING] })).toEqual([FINDING]);
  });

  it('are read from every other form of findings', () => {
    expect(findingRecords({ detected_vulnerabilities: [FINDING] })).toMatchObject([FINDING]);
    const checkov = { check_type: 'terraform', results: { passed_checks: [], failed_checks: [] } };
    expect(findingRecords([checkov])).toEqual([]);
  });

  it('must be objects, and the message names the first that is not', () => {
    const records = untyped(findingRecords);
    expect(() => records([FINDING, FINDING, 'x'])).toThrow('findings[2] is a text');
    expect(() => records([[]])).toThrow(expect.objectContaining({ code: 'FINDINGS_INVALID' }));
  });

  it.each([undefined, null, 7, true, {}, 'hello'])('cannot be read from %j', (input) => {
    expect(() => untyped(findingRecords)(input)).toThrow(expect.objectContaining({ name: 'JudgeError' }));
  });
});

describe('readToolClaims', () => {
  const other = { type: 'logging', resource: 'aws_s3_bucket.b' };
  const types = (toolFindings: ToolFindingsInput) => readToolClaims(toolFindings).map(({ type }) => type);

  it('reads a list, or a container', () => {
    expect(types([FINDING, other])).toEqual(['encryption', 'logging']);
    expect(types({ findings: [FINDING] })).toEqual(['encryption']);
  });

  it('reads a list or a report of every tool', () => {
    expect(types({ checkov: [FINDING], mine: { findings: [other] }, silent: [] })).toEqual(['encryption', 'logging']);
  });

  it('reads nothing from no tools', () => {
    expect([types([]), types({})]).toEqual([[], []]);
  });

  it('reads a report as a report, though every field of it is a list', () => {
    expect(types({ results: [] })).toEqual([]);
  });
});
