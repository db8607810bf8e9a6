import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../iac/edit/edits.ts';
import { parseCode } from '../../../iac/syntax/parse-code.ts';
import type { WeakSpot } from '../site/weak-spot.ts';
import { ownParameter } from './cloudformation/parameter-default.ts';
import { ownVariable } from './terraform/declared-value.ts';

const spotWith = (spot: Pick<WeakSpot, 'file' | 'safe' | 'insecure' | 'type'>): WeakSpot => ({
  ...spot,
  address: 'x',
  name: 'days',
  secure: spot.safe,
  isAbsence: false,
  write: () => [],
});

describe('a variable of the template', () => {
  const DAYS = 'variable "days" {\n  type    = number\n  default = 365\n}\n';
  const USE = 'resource "aws_x" "a" {\n  days = var.days\n}\n';
  const days = spotWith({ file: 'main.tf', safe: 'var.days', insecure: '7', type: 'number' });
  const own = async (text: string, spot = days) =>
    ownVariable({
      ...{ project: await parseCode({ 'main.tf': text }), spot },
      target: { address: 'aws_x.a', file: 'main.tf', attribute: 'days', related: [] },
    });

  it('is bent where nothing else uses it: only its default changes', async () => {
    const found = await own(DAYS + USE);
    expect(found).toMatchObject({ name: 'days', safe: '365', insecure: '7' });
    expect(applyEdits(DAYS + USE, found?.weak[0]?.edits ?? [])).toBe((DAYS + USE).replace('365', '7'));
  });

  it('may be the only entry of a list', async () => {
    const text = 'variable "range" {\n  type    = string\n  default = "10.0.0.0/8"\n}\n';
    const spot = spotWith({ file: 'main.tf', safe: '[var.range]', insecure: '["0.0.0.0/0"]', type: 'list(string)' });
    expect(await own(text, spot)).toMatchObject({ name: 'range', safe: '"10.0.0.0/8"', insecure: '"0.0.0.0/0"' });
  });

  it('is left alone if another place uses it, without a default, and if the weak value is of another type', async () => {
    expect(await own(DAYS + USE + USE.replace('"a"', '"b"'))).toBeNull();
    expect(await own(DAYS.replace('  default = 365\n', '') + USE)).toBeNull();
    expect(await own(DAYS.replace('number', 'string') + USE)).toBeNull();
    expect(await own(DAYS + USE, { ...days, insecure: 'null', type: 'string' })).toBeNull();
  });
});

describe('a parameter of the template', () => {
  const TEMPLATE = `Parameters:
  Days:
    Type: Number
    Default: 365
Resources:
  Logs:
    Type: AWS::Logs::LogGroup
    Properties:
      RetentionInDays: !Ref Days
`;
  const days = spotWith({ file: 't.yaml', safe: '!Ref Days', insecure: '7', type: 'number' });
  const own = async (text: string, spot = days) => ownParameter({ project: await parseCode({ 't.yaml': text }), spot });

  it('is bent where nothing else uses it: only its default changes', async () => {
    const found = await own(TEMPLATE);
    expect(found).toMatchObject({ name: 'Days', safe: '365' });
    expect(applyEdits(TEMPLATE, found?.weak[0]?.edits ?? [])).toBe(TEMPLATE.replace('365', '7'));
  });

  it('is left alone if another place uses it, without a default, and if the flaw is that nothing is set', async () => {
    expect(await own(`${TEMPLATE}      LogGroupName: !Ref Days\n`)).toBeNull();
    expect(await own(TEMPLATE.replace('    Default: 365\n', ''))).toBeNull();
    expect(await own(TEMPLATE, { ...days, insecure: '!Ref AWS::NoValue', isAbsence: true })).toBeNull();
  });
});
