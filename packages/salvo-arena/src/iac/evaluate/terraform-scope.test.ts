// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Terraform and CloudFormation write their templates like this.
import { describe, expect, it } from 'vitest';
import { parseCode } from '../syntax/parse-code.ts';
import { createScope, type Scope } from './scope.ts';
import { knownPart, type Value } from './value.ts';

const scopeOf = async (files: Record<string, string>) => createScope(await parseCode(files));
const valueOrReason = (value: Value) => (value.known ? value.value : `? ${value.reason}`);

/** The attribute of every instance, by address. */
function all(scope: Scope, type: string, name: string): Record<string, unknown> {
  return Object.fromEntries(
    scope.instances(type).map((view) => {
      const found = view.get(name);
      return [view.address, found ? valueOrReason(found.value) : undefined];
    }),
  );
}

describe('instances in Terraform', () => {
  it('follow count and for_each', async () => {
    const scope = await scopeOf({
      'main.tf': `
variable "unknown" {}
resource "r" "none" {
  count = 0
}
resource "r" "two" {
  count = 2
  v     = count.index
}
resource "r" "each" {
  for_each = { b = 1, a = 2 }
  v        = "\${each.key}\${each.value}"
}
resource "r" "set" {
  for_each = toset(["x"])
  v        = each.value
}
resource "r" "maybe" {
  count = var.unknown ? 1 : 0
  v     = 7
}
`,
    });
    expect(all(scope, 'r', 'v')).toEqual({
      'r.two[0]': 0,
      'r.two[1]': 1,
      'r.each["a"]': 'a2',
      'r.each["b"]': 'b1',
      'r.set["x"]': 'x',
      'r.maybe': 7,
    });
    expect(
      scope
        .instances('r')
        .filter(({ certain }) => !certain)
        .map(({ address }) => address),
    ).toEqual(['r.maybe']);
    const block = scope.instances('r')[0]?.block;
    expect(block && scope.instances(block)).toHaveLength(2);
  });

  it('have their dynamic blocks expanded, nested ones too', async () => {
    const scope = await scopeOf({
      'main.tf': `
resource "sg" "a" {
  ingress {
    port = 1
  }
  dynamic "ingress" {
    for_each = [22, 443]
    iterator = it
    content {
      port = it.value
      nth  = it.key
    }
  }
  dynamic "empty" {
    for_each = []
    content {}
  }
}
resource "sg" "written_as_attribute" {
  ingress = [{ port = 5 }]
}
`,
    });
    const ports = scope
      .instances('sg')
      .map((view) =>
        view.blocks('ingress').map((rule) => valueOrReason(rule.get('port')?.value ?? { known: true, value: null })),
      );
    expect(ports).toEqual([[1, 22, 443], [5]]);
    expect(scope.instances('sg')[0]?.blocks('empty')).toEqual([]);
    expect(scope.instances('sg')[0]?.blocks('ingress')[1]).toMatchObject({ line: 6, end_line: 13, type: 'ingress' });
  });

  it('are changed by override files as Terraform does it', async () => {
    const scope = await scopeOf({
      'main.tf':
        'resource "r" "a" {\n  x = 1\n  y = 2\n  rule {\n    v = 1\n  }\n  other {\n    v = 2\n  }\n}\nlocals {\n  l = 1\n}\n',
      'a_override.tf':
        'resource "r" "a" {\n  y = local.l\n  rule {\n    v = 8\n  }\n  rule {\n    v = 9\n  }\n}\nlocals {\n  l = 5\n}\n',
    });
    const [view] = scope.instances('r');
    expect(view?.get('x')?.value).toMatchObject({ value: 1 });
    expect(view?.get('y')).toMatchObject({ value: { value: 5 }, file: 'a_override.tf', line: 2 });
    expect(view?.blocks('rule').map((rule) => rule.get('v')?.value)).toMatchObject([{ value: 8 }, { value: 9 }]);
    expect(view?.blocks('other')).toHaveLength(1);
  });

  it('of a module get the inputs of each call, and have outputs', async () => {
    const scope = await scopeOf({
      'live/main.tf': `
module "a" {
  source = "../modules/bucket"
  name   = "first"
}
module "b" {
  source   = "../modules/bucket"
  for_each = toset(["x", "y"])
  name     = "n-\${each.key}"
  acl      = "public-read"
}
module "off" {
  source = "../modules/bucket"
  count  = 0
  name   = "never"
}
module "remote" {
  source = "terraform-aws-modules/vpc/aws"
}
resource "r" "uses" {
  v = [module.a.name, module.b["x"].name, module.remote.id]
}
`,
      'modules/bucket/main.tf': `
variable "name" {}
variable "acl" {
  default = "private"
}
resource "aws_s3_bucket" "it" {
  bucket = var.name
  acl    = var.acl
}
output "name" {
  value = aws_s3_bucket.it.bucket
}
`,
    });
    expect(all(scope, 'aws_s3_bucket', 'bucket')).toEqual({
      'module.a.aws_s3_bucket.it': 'first',
      'module.b["x"].aws_s3_bucket.it': 'n-x',
      'module.b["y"].aws_s3_bucket.it': 'n-y',
    });
    expect(all(scope, 'aws_s3_bucket', 'acl')).toMatchObject({
      'module.a.aws_s3_bucket.it': 'private',
      'module.b["y"].aws_s3_bucket.it': 'public-read',
    });
    const used = scope.instances('r')[0]?.get('v')?.value;
    expect(used && knownPart(used)).toEqual(['first', 'n-x', '${module.remote.id}']);
  });

  it('leave out attributes that are null', async () => {
    const scope = await scopeOf({ 'main.tf': 'resource "r" "a" {\n  x = null\n}\n' });
    expect(scope.instances('r')[0]?.get('x')).toBeNull();
    expect(scope.instances('r')[0]?.names()).toEqual(['x']);
  });

  it('uses values of terraform.tfvars and *.auto.tfvars, of which the last wins, and of no other file', async () => {
    const scope = await scopeOf({
      'main.tf':
        'variable "a" {\n  default = 1\n}\nvariable "b" {\n  default = 1\n}\nresource "r" "x" {\n  v = [var.a, var.b]\n}\n',
      'terraform.tfvars': 'a = 2\nb = 2\n',
      'z.auto.tfvars': 'b = 3\n',
      'prod.tfvars': 'a = 9\n',
    });
    expect(all(scope, 'r', 'v')).toEqual({ 'r.x': [2, 3] });
  });

  it('converts values to the type of a variable, with the defaults of optional attributes', async () => {
    const type = `map(object({
    on    = optional(bool, false)
    port  = number
    tls   = optional(object({ min = optional(string, "1.2") }), {})
    names = optional(list(string))
  }))`;
    const scope = await scopeOf({
      'main.tf': `
variable "all" {
  type    = ${type}
  default = {
    a = { port = "1", other = 2 }
    b = { port = 2, on = "true", tls = { min = null }, names = ["x"] }
    c = { port = 3, tls = null, on = null }
  }
}
resource "r" "x" {
  for_each = var.all
  v        = each.value
}
`,
    });
    expect(all(scope, 'r', 'v')).toEqual({
      'r.x["a"]': { on: false, port: 1, tls: { min: '1.2' }, names: null },
      'r.x["b"]': { on: true, port: 2, tls: { min: '1.2' }, names: ['x'] },
      'r.x["c"]': { on: false, port: 3, tls: { min: '1.2' }, names: null },
    });
  });

  it('is the same of each instance if how many there are is not known', async () => {
    const scope = await scopeOf({
      'main.tf':
        'variable "n" {}\nresource "r" "a" {\n  count = var.n\n  v = 7\n}\nresource "s" "b" {\n  v = r.a[0].v\n}\n',
    });
    expect(all(scope, 's', 'v')).toEqual({ 's.b': 7 });
  });
});
