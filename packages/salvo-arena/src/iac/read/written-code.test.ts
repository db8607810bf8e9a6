import { describe, expect, it } from 'vitest';
import { parseCode } from '../syntax/parse-code.ts';
import { innermostAttribute } from './written-code.ts';

const TERRAFORM = `resource "a" "b" {
  tags = { Name = "x" }
  ingress {
    port = 1
  }
  ingress {
    port = 2
  }
  list = [{ deep = 3 }]
  policy = jsonencode({
    Statement = [
      { Action = "*" },
    ]
  })
  later = var.x
}
`;
const YAML = 'Resources:\n  A:\n    Type: T\n    Properties:\n      Tags:\n        - Key: a\n          Value: b\n';

const project = await parseCode({ 'a.tf': TERRAFORM, 'b.yaml': YAML });
const lineAt = (file: number, path: string) => {
  const block = project.files[file]?.blocks[0];
  return block ? (innermostAttribute(block, path.split('.'))?.line ?? null) : null;
};

describe('innermostAttribute', () => {
  it('follows blocks, objects, lists and JSON that is encoded', () => {
    expect(lineAt(0, 'tags.Name')).toBe(2);
    expect(lineAt(0, 'ingress.port')).toBe(4);
    expect(lineAt(0, 'list.deep')).toBe(9);
    expect(lineAt(0, 'policy.Statement.Action')).toBe(12);
    expect(lineAt(1, 'Tags.Value')).toBe(7);
  });

  it('stops at the innermost attribute that is written out', () => {
    expect(lineAt(0, 'later.anything')).toBe(15);
    expect(lineAt(0, 'policy.Statement.Resource')).toBe(11);
    expect(lineAt(0, 'missing')).toBeNull();
    expect(lineAt(0, 'missing.port')).toBeNull();
  });
});
