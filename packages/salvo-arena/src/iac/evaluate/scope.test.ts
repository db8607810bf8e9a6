// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Terraform and CloudFormation write their templates like this.
import { describe, expect, it } from 'vitest';
import { parseCode } from '../syntax/parse-code.ts';
import { createScope } from './scope.ts';
import { knownPart, type Value } from './value.ts';

const scopeOf = async (files: Record<string, string>) => createScope(await parseCode(files));
const valueOrReason = (value: Value) => (value.known ? value.value : `? ${value.reason}`);

/** The value of `value = <code>` in a file that also contains `around`. */
async function resultOf(code: string, around = ''): Promise<Value> {
  const project = await parseCode({ 'main.tf': `${around}\nlocals {\n  tested = ${code}\n}\n` });
  expect(project.files[0]?.problems).toEqual([]);
  const expression = project.files[0]?.blocks.at(-1)?.attributes[0]?.value;
  if (!expression) throw new Error('no expression');
  return createScope(project).resolve(expression, 'main.tf');
}

describe('resolve in Terraform', () => {
  const AROUND = `
variable "env" {
  default = "prod"
}
variable "flag" {
  type    = bool
  default = "true"
}
variable "none" {}
variable "ports" {
  default = [22, 443]
}
variable "map" {
  default = { b = { open = true }, a = { open = false } }
}
locals {
  name  = "\${var.env}-x"
  loop  = local.loop2
  loop2 = "\${local.loop}"
}
resource "aws_s3_bucket" "a" {
  bucket = local.name
}
resource "aws_s3_bucket" "many" {
  for_each = var.map
  bucket   = each.key
}`;
  it.each<[string, unknown]>([
    ['var.env', 'prod'],
    ['var.flag', true],
    ['local.name', 'prod-x'],
    ['aws_s3_bucket.a.bucket', 'prod-x'],
    ['aws_s3_bucket.many["b"].bucket', 'b'],
    ['var.map["b"].open', true],
    ['var.ports[1]', 443],
    ['var.ports[*]', [22, 443]],
    ['[for m in var.map : m.open]', [false, true]],
    ['var.env == "prod" ? 1 : 2', 1],
    ['!var.flag || var.ports[0] < 80', true],
    ['var.none == "" && false', false],
    ['1 + 2 * 3 - 4 / 2', 5],
    ['"%{if true}a%{endif}"', '? this cannot be evaluated'],
    ['{ (var.env) = 1, "a-${var.env}" = 2 }', { prod: 1, 'a-prod': 2 }],
    ['{ for p in var.ports : p => p + 1 if p > 100 }', { 443: 444 }],
    ['{ for k, v in var.map : v.open => k... }', { false: ['a'], true: ['b'] }],
    ['[for k, v in var.map : "${k}=${v.open}"]', ['a=false', 'b=true']],
    ['jsondecode(jsonencode({ a = [1, null] }))', { a: [1, null] }],
    ['jsonencode({ b = 1, a = "x" })', '{"b":1,"a":"x"}'],
    ['merge({ a = 1 }, { a = 2, b = 3 })', { a: 2, b: 3 }],
    ['concat([1], [2, 3])', [1, 2, 3]],
    ['lookup(var.map, "z", "none")', 'none'],
    ['length(var.ports)', 2],
    ['format("%s-%03d-%%", var.env, 7)', 'prod-007-%'],
    ['formatlist("%s:%s", var.env, var.ports)', ['prod:22', 'prod:443']],
    ['formatlist("%s-%s", ["a"], ["b", "c"])', '? not lists of one length'],
    ['base64decode(base64encode(var.env))', 'prod'],
    ['setsubtract(["b", "a"], ["b"])', ['a']],
    ['setintersection(["a", "b", "c"], ["c", "b"], ["b"])', ['b']],
    ['coalescelist([], ["a"], ["b"])', ['a']],
    ['join(",", var.ports)', '22,443'],
    ['split("-", local.name)', ['prod', 'x']],
    ['[True, FALSE]', [true, false]],
    ['coalesce("", null, "c")', 'c'],
    ['try(var.map.z.open, "fallback")', 'fallback'],
    ['can(var.map.z)', false],
    ['element([1, 2], 3)', 2],
    ['contains(["a"], "b")', false],
    ['keys(var.map)', ['a', 'b']],
    ['values({ b = 1, a = 2 })', [2, 1]],
    ['flatten([[1, [2]], [3]])', [1, 2, 3]],
    ['replace("a.b.c", ".", "$&")', 'a$&b$&c'],
    ['trimspace(upper(" a "))', 'A'],
    ['toset(["b", "a", "b"])', ['a', 'b']],
    ['tobool("true")', true],
    ['tonumber("12")', 12],
    ['max(var.ports...)', 443],
    ['range(3)', [0, 1, 2]],
    ['var.none', '? variable none has no default'],
    ['"${var.none}-x"', '? variable none has no default'],
    ['local.loop', '? local.loop refers to itself'],
    ['aws_s3_bucket.a.arn', '? aws_s3_bucket.a.arn is known after apply'],
    ['aws_s3_bucket.b.arn', '? there is no aws_s3_bucket.b'],
    ['var.undeclared', '? there is no var.undeclared'],
    ['cidrsubnet("10.0.0.0/8", 8, 1)', '? the function cidrsubnet is not supported'],
    ['contains([var.none, "a"], "a")', true],
    ['try(var.none, 1)', '? variable none has no default'],
  ])('%s', async (code, expected) => {
    expect(valueOrReason(await resultOf(code, AROUND))).toEqual(expected);
  });

  it.each([
    ['concat(var.none, ["a"])', ['${var.none}', 'a']],
    ['flatten([["a"], var.none])', ['a', '${var.none}']],
    ['contains(concat(var.none, ["a"]), "a")', true],
    ['contains(concat(var.none, ["a"]), "b")', '? an element is not known'],
    ['concat(var.none, ["a"])[0]', '? the list is not known'],
    ['concat(var.none, ["a"])[1]', '? the list is not known'],
    ['concat(["a"], var.none)[0]', 'a'],
    ['length(concat(var.none, ["a"]))', '? variable none has no default'],
    ['element(concat(var.none, ["a"]), 1)', '? variable none has no default'],
    ['reverse(concat(["a"], var.none))[0]', '? variable none has no default'],
  ])('knows the known elements of a list that was joined with an unknown one: %s', async (code, expected) => {
    const value = await resultOf(code, AROUND);
    expect(Array.isArray(expected) ? knownPart(value) : valueOrReason(value)).toEqual(expected);
  });

  it('has the known part of a value that is not wholly known', async () => {
    const value = await resultOf('{ a = 1, b = "${aws_s3_bucket.a.arn}/*", c = [var.none] }', AROUND);
    expect(value).toMatchObject({ known: false, partial: { a: 1, b: '${aws_s3_bucket.a.arn}/*', c: ['${var.none}'] } });
    expect(knownPart(await resultOf('aws_s3_bucket.a.id', AROUND))).toBe('${aws_s3_bucket.a.id}');
    expect(await resultOf('aws_s3_bucket.a.id', AROUND)).toMatchObject({ refersTo: 'aws_s3_bucket.a' });
  });
});

describe('hostile code', () => {
  it.each([
    [
      'text that doubles',
      Array.from({ length: 60 }, (_, i) => `  a${i} = "\${local.a${i + 1}}\${local.a${i + 1}}"`).join('\n'),
      '  a60 = "x"',
    ],
    [
      'lists that double',
      Array.from({ length: 60 }, (_, i) => `  a${i} = [local.a${i + 1}, local.a${i + 1}]`).join('\n'),
      '  a60 = 1',
    ],
    [
      'a chain without an end',
      Array.from({ length: 5_000 }, (_, i) => `  a${i} = local.a${i + 1}`).join('\n'),
      '  a5000 = 1',
    ],
    ['loops in loops', '  a0 = [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a]]]', ''],
  ])('cannot keep us busy: %s', async (_, locals, last) => {
    const scope = await scopeOf({
      'main.tf': `locals {\n${locals}\n${last}\n}\nresource "r" "a" {\n  v = jsonencode(local.a0)\n}\n`,
    });
    expect(scope.instances('r')[0]?.get('v')?.value.known).toBe(false);
  });

  it('may call itself, or have a huge count', async () => {
    const scope = await scopeOf({
      'main.tf':
        'module "m" {\n  source = "./"\n}\nmodule "n" {\n  source = "./n"\n}\nresource "r" "a" {\n  count = 1e9\n}\nresource "r" "b" {\n  count = -1\n}\n',
      'n/main.tf': 'module "m" {\n  source = "../"\n}\n',
    });
    expect(scope.instances('r').length).toBeLessThanOrEqual(500_000);
  });

  it('may use names of our own objects', async () => {
    const value = await resultOf('{ __proto__ = { polluted = true }, constructor = 1, a = {}.toString }');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(knownPart(value)).toMatchObject({ constructor: 1 });
    expect(valueOrReason(await resultOf('{ a = 1 }.constructor'))).toBe('? there is no constructor');
    expect(valueOrReason(await resultOf('constructor("x")'))).toMatch('not supported');
  });
});
