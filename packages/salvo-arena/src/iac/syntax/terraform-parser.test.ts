// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Terraform and CloudFormation write their templates like this.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attribute, Expression } from './expression.ts';
import type { Block, SourceFile } from './source-file.ts';
import { loadTerraformParser } from './terraform-parser.ts';

const parser = await loadTerraformParser();
const parse = (text: string, file = 'main.tf') => parser.parse(file, text);
const firstValue = (value: string): Expression | undefined => parse(`a = ${value}\n`).attributes[0]?.value;

/** Every expression, attribute and block of a file. */
function everything({ blocks, attributes }: Pick<SourceFile, 'blocks' | 'attributes'>) {
  const found: { expressions: Expression[]; attributes: Attribute[]; blocks: Block[] } = {
    expressions: [],
    attributes: [],
    blocks: [],
  };
  const seen = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(seen);
    else if (typeof value === 'object' && value !== null) {
      if ('kind' in value && 'text' in value) found.expressions.push(value as Expression);
      if ('nameRange' in value) found.attributes.push(value as Attribute);
      if ('bodyRange' in value) found.blocks.push(value as Block);
      Object.values(value).forEach(seen);
    }
  };
  seen([blocks, attributes]);
  return found;
}

const CODE = `# Überschrift 😀
resource "aws_s3_bucket" "data" {
  bucket = "größe😀-\${var.env}-x" // Ende
  tags   = { Name = "é", (var.key) : 1, "a b" = [1, -2.5, true, null] }
  policy = jsonencode({
    Statement = [{ Action = "s3:*", Resource = "\${aws_s3_bucket.data.arn}/*" }]
  })
  count  = var.on ? 1 : local.off ? 2 : 3
  ids    = aws_subnet.a[var.index].id
  all    = [for k, v in var.m : upper(k) if v != ""]
  rule   = <<-EOF
    {"a": "\${var.x}"}
      deeper
  EOF

  dynamic "ingress" {
    for_each = var.ports
    content {
      from_port = ingress.value /* here */
    }
  }
}
`;

describe('the Terraform parser', () => {
  it.each([
    ['with line feeds', CODE],
    ['with carriage returns', CODE.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\ufeff${CODE}`],
  ])('gives ranges that match the text, %s', (_, text) => {
    const source = parse(text);
    expect(source.problems).toEqual([]);
    const { expressions, attributes, blocks } = everything(source);
    expect([expressions.length, attributes.length, blocks.length]).toEqual([49, 15, 3]);
    for (const { range, text: written } of expressions) expect(text.slice(range.start, range.end)).toBe(written);
    for (const { nameRange, name, value, range, line } of attributes) {
      expect(text.slice(nameRange.start, nameRange.end).replaceAll('"', '')).toBe(name);
      expect(text.slice(range.start, range.end).endsWith(value.text)).toBe(true);
      expect(text.slice(0, range.start).split('\n')).toHaveLength(line);
    }
    for (const { range, bodyRange, type, end_line } of blocks) {
      expect(text.slice(range.start, range.end)).toMatch(new RegExp(`^${type}[^{]*\\{[^]*\\}$`));
      expect(text[(bodyRange?.start ?? 0) - 1] ?? '').toBe('{');
      expect(text[bodyRange?.end ?? 0]).toBe('}');
      expect(text.slice(0, range.end).split('\n')).toHaveLength(end_line);
    }
    expect(source.comments.map(({ start, end }) => text.slice(start, end).trimEnd())).toEqual([
      '# Überschrift 😀',
      '// Ende',
      '/* here */',
    ]);
  });

  it('gives blocks the address that references use', () => {
    const text =
      'resource "a" "b" {\n  x {\n    y {}\n  }\n}\ndata "a" "b" {}\nvariable "v" {}\nmodule "m" {}\nlocals {}\nprovider aws {}\n';
    const { blocks } = everything(parse(text));
    expect(blocks.map(({ address }) => address)).toEqual([
      'a.b',
      'a.b.x',
      'a.b.x.y',
      'data.a.b',
      'var.v',
      'module.m',
      'local',
      'provider.aws',
    ]);
  });

  it.each([
    ['"a\\"b\\n\\u00e9 $${x} %%{y}"', 'a"b\né ${x} %{y}'],
    ['""', ''],
    ['"  two  "', '  two  '],
    ['12.5', 12.5],
    ['-3', -3],
    ['false', false],
    ['null', null],
    ['("a")', 'a'],
    ['<<EOF\n  a\n    b\nEOF', '  a\n    b\n'],
    ['<<-EOF\n    a\n      b\n\n    c\n  EOF', 'a\n  b\n\nc\n'],
    ['<<EOF\nEOF', ''],
    ['1e3', 1000],
    ['25E-1', 2.5],
    ['<<EOF\necho "a \\" b\\\\" \\\n  c\nEOF', 'echo "a \\" b\\\\" \\\n  c\n'],
  ])('reads the literal %s', (text, value) => {
    expect(firstValue(text)).toMatchObject({ kind: 'literal', value, text });
  });

  it('distinguishes references, traversals and other expressions', () => {
    expect(firstValue('aws_x.y[0].z["k"]')).toMatchObject({ kind: 'reference', steps: ['aws_x', 'y', 0, 'z', 'k'] });
    expect(firstValue('aws_x.y["a b"].z')).toMatchObject({ path: 'aws_x.y["a b"].z' });
    expect(firstValue('aws_x.y[*].z')).toMatchObject({ kind: 'traversal', base: { path: 'aws_x.y' } });
    expect(firstValue('aws_x.y[var.i].z')).toMatchObject({
      kind: 'traversal',
      base: { path: 'aws_x.y' },
      steps: [
        { kind: 'index', index: { path: 'var.i' } },
        { kind: 'name', name: 'z' },
      ],
    });
    expect(firstValue('merge(a, b...).c')).toMatchObject({
      kind: 'traversal',
      base: { name: 'merge', expandLast: true },
    });
    expect(firstValue('{ for k, v in x : k => v... if v }')).toMatchObject({
      kind: 'for',
      keyName: 'k',
      grouped: true,
    });
    expect(firstValue('!(a == b) && c.d')).toMatchObject({ kind: 'operation', operator: '&&' });
  });

  it('reads a chain of conditions from the left, as Terraform does', () => {
    expect(firstValue('a ? 1 : b ? 2 : c ? 3 : 4')).toMatchObject({
      condition: { path: 'a' },
      whenFalse: { condition: { path: 'b' }, whenFalse: { condition: { path: 'c' }, text: 'c ? 3 : 4' } },
    });
    expect(firstValue('(a ? b : c) ? 1 : 2')).toMatchObject({ condition: { kind: 'conditional' } });
  });

  it('reads a heredoc at the end of a text', () => {
    expect(parse('a = <<EOF\n"b \\" ${c}"\nEOF')).toMatchObject({
      problems: [],
      attributes: [{ value: { heredoc: true } }],
    });
  });

  it('separates the parts of a template', () => {
    expect(firstValue('" a ${var.x} b"')).toMatchObject({
      kind: 'template',
      parts: [{ value: ' a ' }, { path: 'var.x' }, { value: ' b' }],
    });
    expect(firstValue('<<-EOF\n    {\n      "a": "${var.x}"\n    }\n    EOF')).toMatchObject({
      parts: [{ value: '{\n  "a": "' }, { path: 'var.x' }, { value: '"\n}\n' }],
    });
  });

  it('reads Terraform JSON with the same addresses, and the templates in it', () => {
    const text =
      '{"resource": {"aws_s3_bucket": {"é": {"bucket": "ü-${var.x}", "tags": {"a": 1}}}}, "locals": {"b": 2}}';
    const source = parse(text, 'main.tf.json');
    expect(source.blocks.map(({ address }) => address)).toEqual(['aws_s3_bucket.é', 'local']);
    expect(source.blocks[0]?.attributes[0]?.value).toMatchObject({ parts: [{ value: 'ü-' }, { path: 'var.x' }] });
    const { expressions } = everything(source);
    expect(expressions).toHaveLength(10);
    for (const { range, text: written } of expressions) expect(text.slice(range.start, range.end)).toBe(written);
    expect(parse('{"a": }', 'x.tf.json').problems).toEqual([
      { line: 1, column: 7, message: 'not valid JSON: a value is expected' },
    ]);
  });

  it('decodes a JSON string before it reads the expressions in it', () => {
    const value = '{"v": "a ${jsonencode({\\n b = \\"\\u00fc\\"\\n c = x[0] })} \\\\ end"}';
    const text = `{"resource": {"r": {"a": ${value}}}}`;
    const expression = parse(text, 'main.tf.json').blocks[0]?.attributes[0]?.value;
    expect(expression).toMatchObject({
      kind: 'template',
      parts: [
        { value: 'a ' },
        { kind: 'call', args: [{ entries: [{ name: 'b', value: { value: 'ü' } }, { value: { path: 'x[0]' } }] }] },
        { value: ' \\ end' },
      ],
    });
    const parts = everything(parse(text, 'main.tf.json')).expressions.filter(({ kind }) => kind !== 'object');
    const string = text.slice(text.indexOf('"a $'), -4);
    const outside = parts.filter(({ range }) => text.slice(range.start, range.end) !== string);
    expect(outside.map((part) => part.text)).toEqual(['"v"']);
    const unfinished = '{"resource": {"r": {"a": {"v": "${f(\\"END_OF_JSON_STRING\\""}}}}';
    expect(parse(unfinished, 'main.tf.json').blocks[0]?.attributes[0]?.value.kind).toBe('other');
  });

  it('reads lists of objects of Terraform JSON as blocks, and dynamic ones', () => {
    const resource = {
      '//': 'a comment',
      rule: [{ port: 1, from: [{ cidr: 'a' }] }, { port: 2 }],
      dynamic: { route: { for_each: '${var.routes}', content: { via: '${route.value}' } } },
      tags: { a: 'b' },
      mixed: [{ a: 1 }, 'b'],
      none: [],
    };
    const text = JSON.stringify({ resource: { r: { a: resource } }, locals: { list: [{ a: 1 }] } });
    const [block, locals] = parse(text, 'main.tf.json').blocks;
    expect(block?.blocks.map(({ type, labels, address }) => [type, ...labels, address])).toEqual([
      ['rule', 'r.a.rule'],
      ['rule', 'r.a.rule'],
      ['dynamic', 'route', 'r.a.dynamic.route'],
    ]);
    expect(block?.blocks[0]?.blocks).toMatchObject([{ type: 'from', attributes: [{ name: 'cidr' }] }]);
    expect(block?.blocks[2]).toMatchObject({ attributes: [{ name: 'for_each' }], blocks: [{ type: 'content' }] });
    expect(block?.attributes.map(({ name }) => name)).toEqual(['tags', 'mixed', 'none']);
    expect(locals).toMatchObject({ attributes: [{ name: 'list' }], blocks: [] });
  });
});

describe('broken Terraform', () => {
  const intact = 'resource "good" "after" {\n  x = 1\n}\n';
  it.each([
    ['a line that is none', 'resource "a" "b" {\n  x = 1\n  what is this?\n  y = 2\n}\n', '3:3'],
    ['a brace that is missing', 'resource "a" "b" {\n  x = 1\n  y {\n    z = 2\n', '1:1'],
    ['a bracket that is missing', 'resource "a" "b" {\n  x = [1, 2\n}\n', '2:7'],
    ['a quote that is missing', 'resource "a" "b" {\n  x = "abc\n  y = 2\n}\n', '2:7'],
    ['two quotes that are missing', 'resource "a" "b" {\n  x = "abc\n  y = "2\n}\n', '2:7'],
    ['a value that is missing', 'resource "a" "b" {\n  x =\n  y = 2\n}\n', '2:5'],
    ['commas in a block', 'resource "a" "b" { x = 1, y = 2 }\n', '1:25'],
  ])('says where %s, and keeps what is intact', (_, broken, place) => {
    const { problems, blocks } = parse(`${intact.replace('after', 'before')}\n${broken}\n${intact}`);
    const [line = 0, column] = place.split(':').map(Number);
    expect(problems[0]).toMatchObject({ line: line + 4, column });
    expect(blocks.map(({ address }) => address)).toEqual(['good.before', 'a.b', 'good.after']);
    expect(blocks[2]?.attributes).toHaveLength(1);
  });

  it.each([
    ['a = 1 b = 2', 'a line break is missing here'],
    ['a = 1\na = 2', '"a" is given twice in this block'],
    ['x\n{\n}', 'the opening brace belongs on the line of the block it opens'],
    ['a = "b\nc"', 'this string is not closed on its line: a " is missing'],
  ])('finds fault with %j, which the grammar lets pass', (text, message) => {
    expect(parse(text).problems.map((problem) => problem.message)).toEqual([message]);
  });

  it('never throws on any text, and gives ranges that match it', () => {
    const pieces = fc.constantFrom(
      'resource',
      '"a"',
      '{',
      '}',
      '=',
      '[',
      ']',
      '"',
      '${',
      '\n',
      '<<EOF',
      'EOF',
      'x',
      '1',
      '(',
      '?',
      ':',
      '#',
      '*/',
      '/*',
      '😀',
      '\u0000',
      '\nx = 1\n',
      '\ny = ["é", "a ${x} b"]\n',
      '\nresource "a" "b" {\n  c = { d = f(1) }\n}\n',
      '\nz = <<EOF\n${x}\nEOF\n',
    );
    let read = 0;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join(' ');
        const source = parse(text);
        const { expressions } = everything(source);
        read += expressions.length;
        for (const { range, text: written } of expressions) {
          expect(text.slice(range.start, range.end)).toBe(written);
        }
      }),
      { numRuns: 300 },
    );
    expect(read).toBeGreaterThan(0);
  });

  it.each([
    ['a megabyte of quotes', '"'.repeat(1_000_000)],
    ['a megabyte of operators without an operand', `a = ${'-'.repeat(1_000_000)}`],
    ['nested lists', `a = ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['nested blocks', `${'a {\n'.repeat(5_000)}${'}\n'.repeat(5_000)}`],
    ['a long sum', `a = ${Array(20_000).fill('1').join(' + ')}`],
    ['open strings', `a = ${'"${'.repeat(5_000)}`],
    ['parentheses', `a = ${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
    ['braces', '}{"${'.repeat(5_000)],
  ])('survives %s', (_, text) => {
    expect(parse(text).problems.length).toBeGreaterThan(0);
  });
});

describe('a text with a long run of special characters', () => {
  const isGarbage = (text: string) =>
    parse(text).problems.some(({ message }) => message.includes('special characters'));

  it.each(['"', '{', '- ', '!\n', '"${', '}{"$'])('is not parsed: endless %j', (characters) => {
    expect(isGarbage(`a = ${characters.repeat(6000)}`)).toBe(true);
  });

  it('does not include long code, or a ruler in a comment', () => {
    expect(isGarbage('a = [{ b = "c" }]\n'.repeat(10_000))).toBe(false);
    expect(isGarbage(`# ${'-'.repeat(1000)}\na = 1\n`)).toBe(false);
    expect(isGarbage(`# ${'é'.repeat(10_000)}\n`)).toBe(false);
  });
});
