// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Terraform and CloudFormation write their templates like this.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCloudFormation } from './cloudformation.ts';
import type { Attribute, Expression } from './expression.ts';

const YAML = `AWSTemplateFormatVersion: '2010-09-09'
Parameters:
  Env: {Type: String, Default: dev} # größer 😀
Mappings:
  Sizes:
    dev: {size: 1}
Conditions:
  IsProd: !Equals [!Ref Env, prod]
Resources:
  Däta:
    Type: AWS::S3::Bucket
    Condition: IsProd
    DeletionPolicy: Retain
    Properties:
      BucketName: !Sub "\${Env}-😀-\${AWS::AccountId}" # c
      Tags:
        - Key: a
          Value: !If
            - IsProd
            - 1
            - !Ref AWS::NoValue
      Policy: |
        line 1
        # no comment
      Arn: !GetAtt Other.Arn
      Long: {"Fn::GetAtt": [Other, Arn]}

  Other:
    Type: AWS::SQS::Queue
Outputs:
  Name:
    Value: !Ref Däta
`;
const JSON_TEMPLATE = JSON.stringify(
  {
    Resources: {
      Data: {
        Type: 'AWS::S3::Bucket',
        Properties: { BucketName: { 'Fn::Sub': 'ü-${Env}' }, Tags: [{ Key: 'a', Value: { Ref: 'Env' } }] },
      },
    },
  },
  null,
  2,
);

function everyExpression(value: unknown, found: Expression[] = []): Expression[] {
  if (Array.isArray(value)) for (const item of value) everyExpression(item, found);
  else if (typeof value === 'object' && value !== null) {
    if ('kind' in value && 'text' in value) found.push(value as Expression);
    for (const item of Object.values(value)) everyExpression(item, found);
  }
  return found;
}

function valueIn(yaml: string): Expression | undefined {
  const text = `Resources:\n  A:\n    Type: T\n    Properties:\n      P: ${yaml}\n`;
  return parseCloudFormation('t.yaml', text).blocks[0]?.attributes[0]?.value;
}

describe('parseCloudFormation', () => {
  it.each([
    ['YAML', YAML],
    ['YAML with carriage returns', YAML.replaceAll('\n', '\r\n')],
    ['JSON', JSON_TEMPLATE],
  ])('gives ranges that match the text, in %s', (_, text) => {
    const source = parseCloudFormation('t.yaml', text);
    expect(source.problems).toEqual([]);
    const expressions = everyExpression(source.blocks);
    expect(expressions.length).toBeGreaterThan(5);
    for (const { range, text: written } of expressions) expect(text.slice(range.start, range.end)).toBe(written);
    const attributes: Attribute[] = source.blocks.flatMap((block) => [...block.attributes, ...block.settings]);
    expect(attributes.length).toBeGreaterThan(2);
    for (const { name, nameRange, line } of attributes) {
      expect(text.slice(nameRange.start, nameRange.end).replaceAll('"', '')).toBe(name);
      expect(text.slice(0, nameRange.start).split('\n')).toHaveLength(line);
    }
  });

  it('has a block for every resource, parameter and output, and one for each section of conditions or mappings', () => {
    const { blocks, comments } = parseCloudFormation('t.yaml', YAML);
    expect(blocks.map(({ type, address, line, end_line }) => [type, address, line, end_line])).toEqual([
      ['variable', 'Parameters.Env', 3, 3],
      ['mappings', 'Mappings', 4, 6],
      ['conditions', 'Conditions', 7, 8],
      ['resource', 'AWS::S3::Bucket.Däta', 10, 26],
      ['resource', 'AWS::SQS::Queue.Other', 28, 29],
      ['output', 'Outputs.Name', 31, 32],
    ]);
    expect(blocks[3]?.settings.map(({ name }) => name)).toEqual(['Type', 'Condition', 'DeletionPolicy']);
    expect(blocks[3]?.attributes.map(({ name, line, end_line }) => [name, line, end_line])).toEqual([
      ['BucketName', 15, 15],
      ['Tags', 16, 21],
      ['Policy', 22, 24],
      ['Arn', 25, 25],
      ['Long', 26, 26],
    ]);
    expect(comments.map(({ start, end }) => YAML.slice(start, end))).toEqual(['# größer 😀', '# c']);
  });

  it.each([
    ['!Ref X', { kind: 'reference', path: 'X' }],
    ['{Ref: X}', { kind: 'reference', path: 'X' }],
    ['!GetAtt X.Endpoint.Port', { kind: 'reference', steps: ['X', 'Endpoint.Port'] }],
    ['!GetAtt [X, Arn]', { kind: 'reference', path: 'X.Arn' }],
    ['!Sub "a-${X.Arn}-${!Y}"', { kind: 'template', parts: [{ value: 'a-' }, { path: 'X.Arn' }, { value: '-${Y}' }] }],
    ['!Sub ["${a}", {a: 1}]', { kind: 'call', name: 'Fn::Sub', args: [{ kind: 'template' }, { kind: 'object' }] }],
    ['!If [C, 1, 2]', { kind: 'call', name: 'Fn::If', args: [{ value: 'C' }, { value: 1 }, { value: 2 }] }],
    ['{"Fn::If": [C, 1, 2]}', { kind: 'call', name: 'Fn::If' }],
    ['!Base64 abc', { kind: 'call', name: 'Fn::Base64', args: [{ value: 'abc' }] }],
    ['yes', { kind: 'literal', value: true }],
    ['"yes"', { kind: 'literal', value: 'yes' }],
    ['2012-10-17', { kind: 'literal', value: '2012-10-17' }],
    ['', { kind: 'literal', value: null }],
    ['{Condition: {StringEquals: {a: b}}}', { kind: 'object', entries: [{ name: 'Condition' }] }],
  ])('reads %s', (text, expected) => {
    expect(valueIn(text)).toMatchObject(expected);
  });

  it('resolves aliases and merge keys', () => {
    const text = 'x: &a {k: 1}\nResources:\n  A:\n    Type: T\n    Properties:\n      P: *a\n      <<: {Q: 2}\n';
    const { blocks, problems } = parseCloudFormation('t.yaml', text);
    expect(problems).toEqual([]);
    expect(blocks[0]?.attributes).toMatchObject([
      { name: 'P', value: { kind: 'object' } },
      { name: 'Q', value: { value: 2 } },
    ]);
  });
});

describe('a loop in a template', () => {
  const TOPICS = `
Transform: AWS::LanguageExtensions
Parameters:
  Names: {Type: CommaDelimitedList, Default: 'one, two'}
Resources:
  Fn::ForEach::Topics:
    - Name
    - [Orders, Re-turns]
    - Topic&{Name}:
        Type: AWS::SNS::Topic
        Properties:
          TopicName: !Sub "\${Name}-\${AWS::Region}"
          DisplayName: !Ref Name
          Tags:
            Fn::ForEach::Tags: [Key, !Ref Names, {"\${Name}/\${Key}": "\${Key}"}]
  Fn::ForEach::Unknown:
    - Id
    - !Ref Ids
    - Queue\${Id}: {Type: AWS::SQS::Queue}
`;

  it('is written out, with the positions of its one body', () => {
    const { blocks, problems } = parseCloudFormation('t.yaml', TOPICS);
    const resources = blocks.filter(({ type }) => type === 'resource');
    expect(problems).toEqual([]);
    expect(resources.map(({ address, line }) => `${address}:${line}`)).toEqual([
      'AWS::SNS::Topic.TopicOrders:9',
      'AWS::SNS::Topic.TopicReturns:9',
      'AWS::SQS::Queue.Queue${Id}:19',
    ]);
    expect(resources[1]?.attributes).toMatchObject([
      { value: { parts: [{ value: 'Re-turns-' }, { path: 'AWS::Region' }] } },
      { value: { value: 'Re-turns' } },
      { value: { entries: [{ name: 'Re-turns/one', value: { value: 'one' } }, { name: 'Re-turns/two' }] } },
    ]);
  });

  it.each([
    ['loops in loops', `${'Fn::ForEach::L: [A, [1, 2, 3, 4, 5, 6, 7, 8, 9], {'.repeat(20)}${'}]'.repeat(20)}`],
    [
      'many items',
      `Fn::ForEach::L: [A, !Ref P, {Fn::ForEach::M: [B, !Ref P, {}]}]}\nParameters: {P: {Default: "${'1,'.repeat(200_000)}"}`,
    ],
    ['a long text', `Fn::ForEach::L: [A, [${'1, '.repeat(2000)}2], {"x\${A}": {Type: "${'long'.repeat(20_000)}"}}]`],
  ])('creates a limited number of values: %s', (_, loop) => {
    const text = `Resources: {${loop}}`;
    const { blocks, problems } = parseCloudFormation('t.yaml', text);
    expect(problems.map(({ message }) => message)).toContain('its loops create more than 100000 values');
    expect(blocks.length).toBeLessThan(1000);
  });

  it('in a large template counts only what it creates', () => {
    const large = { Type: 'T', Properties: { A: new Array(101_000).fill(0) } };
    const loop = ['A', ['x'], { 'L${A}': { Type: 'T' } }];
    const text = JSON.stringify({ Resources: { Large: large, 'Fn::ForEach::L': loop } });
    const { blocks, problems } = parseCloudFormation('t.json', text);
    expect(problems).toEqual([]);
    expect(blocks.at(-1)?.address).toBe('T.Lx');
  });

  it.each(['[]', '[A]', '[A, [x], y]', '[[A], [x], {}]', 'text', '{}'])('of the form %s is no resource', (form) => {
    expect(parseCloudFormation('t.yaml', `Resources: {"Fn::ForEach::L": ${form}}`).blocks).toEqual([]);
  });
});

describe('broken templates', () => {
  it.each([
    ['Resources:\n  A:\n    Properties: {}\n', '2:3', 'the resource "A" has no Type'],
    ['Resources:\n  A: 1\n', '2:3', 'the resource "A" has to be a map with a Type'],
    ['Resources: []\n', '1:1', 'Resources has to be a map'],
    ['Resources:\n  A: {Type: T, Type: U}\n', '2:16', 'the key "Type" occurs twice in this map'],
    ['Resources:\n  A: {Type: T, Properties: {P: !Nope x}}\n', '2:32', 'CloudFormation has no function !Nope'],
    ['- a\n', '1:1', 'a template has to be a map with Resources'],
    ['{"Resources": {"A": {"Type": "T", "Type": "T"}}}', '1:35', 'the key "Type" occurs twice in this map'],
  ])('lists what is wrong with %j', (text, place, message) => {
    const [problem] = parseCloudFormation('t.yaml', text).problems;
    expect(problem && `${problem.line}:${problem.column} ${problem.message}`).toBe(`${place} ${message}`);
  });

  it('keeps the intact resources', () => {
    const text = 'Resources:\n  A:\n    Type: T\n  B:\n    Type: "x\n';
    const { blocks, problems } = parseCloudFormation('t.yaml', text);
    expect(blocks[0]?.address).toBe('T.A');
    expect(problems.length).toBeGreaterThan(0);
  });

  it.each([
    [
      'aliases of aliases',
      `a0: &a0 [x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}\nResources: {}`,
    ],
    ['deep maps', `Resources: ${'{a: '.repeat(5_000)}`],
    ['deep lists in JSON', `{"Resources": ${'['.repeat(50_000)}`],
    ['an alias of itself', 'Resources: &a\n  A: *a\n'],
    ['very many commas', `Resources: [${','.repeat(20_000)}`],
  ])('survives %s', (_, text) => {
    expect(parseCloudFormation('t.yaml', text).problems.length).toBeGreaterThan(0);
  });

  it('never throws on parts of a template', () => {
    fc.assert(
      fc.property(fc.nat(YAML.length), fc.nat(20), fc.constantFrom(YAML, JSON_TEMPLATE), (at, length, text) => {
        parseCloudFormation('t.yaml', text.slice(0, at) + text.slice(at + length));
      }),
    );
  });

  it('treats names like __proto__ as names', () => {
    const { blocks } = parseCloudFormation(
      't.json',
      '{"Resources": {"__proto__": {"Type": "T"}, "constructor": {"Type": "U"}}}',
    );
    expect(blocks.map(({ address }) => address)).toEqual(['T.__proto__', 'U.constructor']);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});
