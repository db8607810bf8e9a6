import { describe, expect, it } from 'vitest';
import { applyEdits, type TextEdit } from '../../../iac/edit/edits.ts';
import { parseCode } from '../../../iac/syntax/parse-code.ts';
import type { MutationOperator, MutationTarget } from '../../operators/operator.ts';
import { weakSpot } from './weak-spot.ts';

const TARGET: MutationTarget = { address: 'aws_x.a', file: 'main.tf', attribute: null, related: [] };
const OPERATOR: MutationOperator = {
  id: 'none',
  weakness: 'none',
  language: 'terraform',
  resourceTypes: [],
  implies: [],
  calledBy: [],
  housekeeping: false,
  secret: null,
  severity: (_scope, _target, usual) => usual,
  targets: () => [],
  apply: () => [],
  unusual: () => [],
  harmless: () => null,
  isPresent: () => false,
  locate: () => null,
  describe: () => '',
  weakValue: () => null,
  guard: () => null,
};

async function spotIn(text: string, from: string, to: string) {
  const start = text.indexOf(from);
  const edits: TextEdit[] = [{ start, end: start + from.length, text: to }];
  const spot = weakSpot(await parseCode({ 'main.tf': text }), OPERATOR, TARGET, [{ file: 'main.tf', edits }]);
  return {
    spot,
    written:
      spot &&
      applyEdits(
        text,
        spot.write('var.x').flatMap((edit) => edit.edits),
      ),
  };
}

describe('the weak spot of a plain edit', () => {
  it('is the value that it replaces', async () => {
    const { spot, written } = await spotIn('resource "aws_x" "a" {\n  on = true\n}\n', 'true', 'false');
    expect(spot).toMatchObject({ address: 'aws_x.a', name: 'on', secure: 'true', insecure: 'false', type: 'bool' });
    expect(written).toBe('resource "aws_x" "a" {\n  on = var.x\n}\n');
  });

  it('is the attribute that it removes, which null does as well', async () => {
    const { spot } = await spotIn('resource "aws_x" "a" {\n  key = aws_y.b.arn\n}\n', '  key = aws_y.b.arn\n', '');
    expect(spot).toMatchObject({ name: 'key', secure: 'aws_y.b.arn', insecure: 'null', isAbsence: true });
  });

  it('is the address range of an inserted rule that is open to everyone', async () => {
    const rule = '\n  ingress {\n    cidr_blocks = ["0.0.0.0/0"]\n  }';
    const code = 'resource "aws_x" "a" {\n  b = 1\n}\n';
    const start = code.indexOf('\n}');
    const edits = [{ start, end: start, text: rule }];
    const spot = weakSpot(await parseCode({ 'main.tf': code }), OPERATOR, TARGET, [{ file: 'main.tf', edits }]);
    expect(spot).toMatchObject({ name: 'cidr_blocks', type: 'list(string)' });
    expect(spot?.secure).toMatch(/^\["(?:10|172)\.\d+\.0\.0\/16"\]$/);
    expect(spot?.write('local.x')[0]?.edits[0]?.text).toBe('\n  ingress {\n    cidr_blocks = local.x\n  }');
  });

  it('does not exist when a whole block is removed, or an entry of a map, where null stays a value', async () => {
    const block = 'resource "aws_x" "a" {\n  log {\n    on = true\n  }\n}\n';
    expect((await spotIn(block, '  log {\n    on = true\n  }\n', '')).spot).toBeNull();
    const map = 'resource "aws_x" "a" {\n  p = jsonencode({\n    Sid = "a"\n  })\n}\n';
    expect((await spotIn(map, '    Sid = "a"\n', '')).spot).toBeNull();
  });
});
