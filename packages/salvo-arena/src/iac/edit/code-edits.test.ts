import { describe, expect, it } from 'vitest';
import { parseCloudFormation } from '../syntax/cloudformation.ts';
import type { Attribute } from '../syntax/expression.ts';
import type { Block, SourceFile } from '../syntax/source-file.ts';
import { loadTerraformParser } from '../syntax/terraform-parser.ts';
import { applyEdits, type TextEdit } from './edits.ts';
import { insertAttribute } from './insert-attribute.ts';
import { insertBlock } from './insert-block.ts';
import { removeAttribute, removeBlock } from './remove-code.ts';
import { replaceValue } from './replace-value.ts';

const parser = await loadTerraformParser();
const hcl = (text: string) => parser.parse('main.tf', text);
const template = (text: string) => parseCloudFormation('t.yaml', text);

function reparse(source: SourceFile, text: string): SourceFile {
  return source.language === 'terraform' ? hcl(text) : parseCloudFormation(source.file, text);
}

/** The text after the edits, which still parses. */
function edited(source: SourceFile, edits: TextEdit[]): string {
  expect(source.problems).toEqual([]);
  const changed = applyEdits(source.text, edits);
  expect(reparse(source, changed).problems).toEqual([]);
  return changed;
}

/** All attributes of a file with the entries of objects in them, and all blocks. */
function parts(source: SourceFile): { attributes: Attribute[]; blocks: Block[] } {
  const attributes: Attribute[] = [];
  const blocks: Block[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      if ('nameRange' in value) attributes.push(value as Attribute);
      if ('bodyRange' in value) blocks.push(value as Block);
      Object.values(value).forEach(visit);
    }
  };
  visit([source.blocks, source.attributes]);
  return { attributes, blocks };
}

function attribute(source: SourceFile, name: string): Attribute {
  const found = parts(source).attributes.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no attribute ${name}`);
  return found;
}

function block(source: SourceFile, type: string): Block {
  const found = parts(source).blocks.find((candidate) => candidate.type === type);
  if (!found) throw new Error(`no block ${type}`);
  return found;
}

const remove = (source: SourceFile, name: string) => edited(source, removeAttribute(source, attribute(source, name)));
const replace = (source: SourceFile, name: string, value: string) =>
  edited(source, replaceValue(source, attribute(source, name), value));
const insert = (source: SourceFile, type: string, name: string, value: string) =>
  edited(source, insertAttribute(source, block(source, type), name, value));

describe('removeAttribute in Terraform', () => {
  it.each([
    ['its line', 'x {\n  a = 1 # why\n  b = 2\n}\n', 'x {\n  b = 2\n}\n'],
    ['all of its lines', 'x {\n  a = {\n    c = 1\n  }\n  b = 2\n}\n', 'x {\n  b = 2\n}\n'],
    ['the lines of a heredoc', 'x {\n  a = <<EOF\n  t\nEOF\n  b = 2\n}\n', 'x {\n  b = 2\n}\n'],
    ['lines that end in carriage returns', 'x {\r\n  a = 1\r\n  b = 2\r\n}\r\n', 'x {\r\n  b = 2\r\n}\r\n'],
    ['the only attribute of a block on one line', 'x { a = 1 }\n', 'x {}\n'],
    ['an entry with the comma behind it', 'b = { a = 1, c = 2 }\n', 'b = { c = 2 }\n'],
    ['the last entry with the comma before it', 'b = { c = 2, a = 1 }\n', 'b = { c = 2 }\n'],
    ['the only entry', 'b = { a = 1 }\n', 'b = {}\n'],
    ['an entry on a line of its own', 'b = {\n  c = 1,\n  a = 2,\n}\n', 'b = {\n  c = 1,\n}\n'],
    ['the last line of a text', 'b = 2\na = 1', 'b = 2'],
  ])('takes %s', (_, text, expected) => {
    expect(remove(hcl(text), 'a')).toBe(expected);
  });
});

describe('removeAttribute in CloudFormation', () => {
  it('removes a heading that would have nothing below it', () => {
    const source = template(
      'Resources:\n  T:\n    Type: AWS::SNS::Topic\n    Properties:\n      KmsMasterKeyId: k\n\n  U:\n    Type: AWS::SNS::Topic\n',
    );
    expect(remove(source, 'KmsMasterKeyId')).toBe(
      'Resources:\n  T:\n    Type: AWS::SNS::Topic\n\n  U:\n    Type: AWS::SNS::Topic\n',
    );
  });

  const yaml = (properties: string) => `Resources:\n  R:\n    Type: T\n    Properties:\n${properties}`;
  it.each([
    ['its line', '      A: 1 # why\n      B: 2\n', '      B: 2\n'],
    ['all of its lines', '      A:\n        - C: 1\n      B: 2\n', '      B: 2\n'],
    ['the first key of a list item', '      L:\n        - A: 1\n          B: 2\n', '      L:\n        - B: 2\n'],
    ['a later key of a list item', '      L:\n        - B: 1\n          A: 2\n', '      L:\n        - B: 1\n'],
    ['an entry in braces', '      L: {A: 1, B: 2}\n', '      L: {B: 2}\n'],
    ['the last entry in braces', '      L: {B: 2, A: 1}\n', '      L: {B: 2}\n'],
    ['a block of text', '      A: |\n        x\n        y\n      B: 2\n', '      B: 2\n'],
  ])('takes %s', (_, properties, expected) => {
    expect(remove(template(yaml(properties)), 'A')).toBe(yaml(expected));
  });

  it('removes an entry of JSON with the right comma', () => {
    const json = (properties: object) =>
      JSON.stringify({ Resources: { R: { Type: 'T', Properties: properties } } }, null, 2);
    expect(remove(template(json({ A: 1, B: 2 })), 'A')).toBe(json({ B: 2 }));
    expect(remove(template(json({ B: 2, A: 1 })), 'A')).toBe(json({ B: 2 }));
    expect(JSON.parse(remove(template(json({ A: 1 })), 'A'))).toEqual(JSON.parse(json({})));
  });
});

describe('replaceValue', () => {
  it.each([
    ['x {\n  a = { c = 1 } # k\n}\n', 'false', 'x {\n  a = false # k\n}\n'],
    ['x {\n  a = <<EOF\nt\nEOF\n}\n', '"t"', 'x {\n  a = "t"\n}\n'],
    ['x {\n  a = 1\n}\n', '[\n  1,\n]', 'x {\n  a = [\n    1,\n  ]\n}\n'],
  ])('puts another value in the place of the one in %j', (text, value, expected) => {
    expect(replace(hcl(text), 'a', value)).toBe(expected);
  });

  it.each([
    ['A: !Ref X # k', 'false', 'A: false # k'],
    ['A:\n        - 1\n        - 2', '[]', 'A: []'],
    ['A:', '1', 'A: 1'],
    ['A: 1', '- x\n- y', 'A:\n        - x\n        - y'],
    ['"A": {B: 1}', '2', '"A": 2'],
  ])('does the same in YAML: %j', (text, value, expected) => {
    const yaml = (properties: string) =>
      `Resources:\n  R:\n    Type: T\n    Properties:\n      ${properties}\n      Z: 1\n`;
    expect(replace(template(yaml(text)), 'A', value)).toBe(yaml(expected));
  });
});

describe('insertAttribute', () => {
  it.each([
    ['x {\n    b = 2 # k\n}\n', 'x {\n    b = 2 # k\n    a = 1\n}\n'],
    ['x {}\n', 'x {\n  a = 1\n}\n'],
    ['x {\n}\n', 'x {\n  a = 1\n}\n'],
    ['x { b = 2 }\n', 'x {\n  b = 2\n  a = 1\n}\n'],
    ['x {\n  y {\n  }\n}\n', 'x {\n  a = 1\n  y {\n  }\n}\n'],
    ['x {\r\n  b = 2\r\n}\r\n', 'x {\r\n  b = 2\r\n  a = 1\r\n}\r\n'],
  ])('goes behind the last attribute of %j', (text, expected) => {
    expect(insert(hcl(text), 'x', 'a', '1')).toBe(expected);
  });

  it.each([
    ['b = {}\n', 'b = { a = 1 }\n'],
    ['b = { c = 2 }\n', 'b = { c = 2, a = 1 }\n'],
    ['b = {\n  c = 2\n}\n', 'b = {\n  c = 2\n  a = 1\n}\n'],
    ['b = {\n  c = 2,\n}\n', 'b = {\n  c = 2,\n  a = 1\n}\n'],
  ])('goes into the object %j', (text, expected) => {
    const source = hcl(text);
    const { value } = attribute(source, 'b');
    if (value.kind !== 'object') throw new Error('no object');
    expect(edited(source, insertAttribute(source, value, 'a', '1'))).toBe(expected);
  });

  it.each([
    [
      'R:\n    Type: T\n    Properties:\n      B: 2 # k\n',
      'R:\n    Type: T\n    Properties:\n      B: 2 # k\n      A: 1\n',
    ],
    ['R:\n    Type: T\n', 'R:\n    Type: T\n    Properties:\n      A: 1\n'],
    ['R: {Type: T, Properties: {B: 2}}\n', 'R: {Type: T, Properties: {B: 2, A: 1}}\n'],
    ['R:\n    Type: T\n    Properties: {}\n', 'R:\n    Type: T\n    Properties: {A: 1}\n'],
    [
      'R:\n    Type: T\n    Properties:\n      B:\n        - C: 1\n',
      'R:\n    Type: T\n    Properties:\n      B:\n        - C: 1\n      A: 1\n',
    ],
  ])('goes into the template %j', (text, expected) => {
    expect(insert(template(`Resources:\n  ${text}`), 'resource', 'A', '1')).toBe(`Resources:\n  ${expected}`);
  });

  it('inserts into JSON', () => {
    const json = (properties: object) =>
      JSON.stringify({ Resources: { R: { Type: 'T', Properties: properties } } }, null, 2);
    expect(insert(template(json({ B: 2 })), 'resource', 'A', '1')).toBe(json({ B: 2, A: 1 }));
    expect(JSON.parse(insert(template(json({})), 'resource', 'A', '{"x": 1}'))).toEqual(
      JSON.parse(json({ A: { x: 1 } })),
    );
  });
});

describe('removeBlock and insertBlock', () => {
  it('remove a block with one of the empty lines around it', () => {
    const source = hcl('a {\n}\n\nx {\n  y {}\n}\n\nb {\n}\n');
    expect(edited(source, removeBlock(source, block(source, 'x')))).toBe('a {\n}\n\nb {\n}\n');
    expect(edited(source, removeBlock(source, block(source, 'y')))).toBe('a {\n}\n\nx {\n}\n\nb {\n}\n');
  });

  it('insert a block at the end of another one, or of the file', () => {
    const source = hcl('x {\n  a = 1\n}\n');
    const code = 'y {\n  b = 2\n}';
    expect(edited(source, insertBlock(source, block(source, 'x'), code))).toBe(
      'x {\n  a = 1\n\n  y {\n    b = 2\n  }\n}\n',
    );
    expect(edited(source, insertBlock(source, null, code))).toBe('x {\n  a = 1\n}\n\ny {\n  b = 2\n}\n');
    const short = hcl('x { a = 1 }');
    expect(edited(short, insertBlock(short, block(short, 'x'), code))).toBe('x {\n  a = 1\n  y {\n    b = 2\n  }\n}');
  });

  it('insert a resource after the last one of a template', () => {
    const source = template('Resources:\n  A:\n    Type: T\nOutputs: {}\n');
    const changed = edited(source, insertBlock(source, null, 'B:\n  Type: U'));
    expect(changed).toBe('Resources:\n  A:\n    Type: T\n\n  B:\n    Type: U\nOutputs: {}\n');
    const again = template(changed);
    const added = again.blocks.find(({ labels }) => labels[1] === 'B');
    if (!added) throw new Error('no B');
    expect(edited(again, removeBlock(again, added))).toBe('Resources:\n  A:\n    Type: T\n\nOutputs: {}\n');
    const json = template('{"Resources": {"A": {"Type": "T"}}}');
    expect(edited(json, insertBlock(json, null, '"B": {"Type": "U"}'))).toBe(
      '{"Resources": {"A": {"Type": "T"}, "B": {"Type": "U"}}}',
    );
  });
});

describe('any edit of real-looking code', () => {
  const TERRAFORM = `# größe
resource "aws_security_group" "web" {
  name = "web-\${var.env}" # 😀
  tags = {
    Name  = "a",
    Owner = "b"
  }
  ingress { from_port = 1 }
  dynamic "egress" {
    for_each = { a = 1, b = 2 }
    content {
      to_port = egress.value
    }
  }
  policy = <<-EOF
    {"a": 1}
  EOF
  list = [{ a = 1 }, { b = [2, { c = 3 }] }]
}
`;
  const YAML = `Resources:
  Web: # c
    Type: AWS::EC2::SecurityGroup
    Properties:
      GroupName: !Sub "\${Env}-ü"
      Tags:
        - Key: Name
          Value: !Ref Env

        # why
        - {Key: a, Value: b}
      SecurityGroupIngress:
        - IpProtocol: tcp
          CidrIp: 0.0.0.0/0
      Policy: |
        a
        b
  Other:
    Type: T
    Properties: {A: {B: 1, C: [{D: 1}]}, E: 2}
`;
  it.each([
    ['Terraform', hcl(TERRAFORM)],
    ['Terraform with carriage returns', hcl(TERRAFORM.replaceAll('\n', '\r\n'))],
    ['YAML', template(YAML)],
    ['YAML with carriage returns', template(YAML.replaceAll('\n', '\r\n'))],
  ])('leaves code that parses, and can be undone: %s', (_, source) => {
    const { attributes, blocks } = parts(source);
    expect(attributes.length).toBeGreaterThan(10);
    for (const each of attributes.filter(({ name }) => name !== 'Type')) {
      const count = (text: string) =>
        parts(reparse(source, text)).attributes.filter(({ name }) => name === each.name).length;
      expect(count(edited(source, removeAttribute(source, each)))).toBeLessThan(count(source.text));
      const changed = reparse(source, edited(source, replaceValue(source, each, '42')));
      expect(parts(changed).attributes.some(({ name, value }) => name === each.name && value.text === '42')).toBe(true);
      if (each.value.kind === 'object') {
        expect(edited(source, insertAttribute(source, each.value, 'added', '42'))).toContain('added');
      }
    }
    expect(blocks).not.toHaveLength(0);
    for (const each of blocks) {
      edited(source, removeBlock(source, each));
      const added = reparse(source, edited(source, insertAttribute(source, each, 'added', '42')));
      expect(parts(added).attributes.some(({ name, value }) => name === 'added' && value.text === '42')).toBe(true);
    }
  });
});
