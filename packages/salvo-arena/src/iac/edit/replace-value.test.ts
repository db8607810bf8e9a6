import { describe, expect, it } from 'vitest';
import { parseCloudFormation } from '../syntax/cloudformation.ts';
import { applyEdits } from './edits.ts';
import { replaceValue, valueCode } from './replace-value.ts';

describe('valueCode', () => {
  const text = `Resources:
  Role:
    Type: AWS::IAM::Role
    Properties:
      ManagedPolicyArns:
        - one
        - two
`;
  const source = parseCloudFormation('t.yaml', text);
  const [attribute] = source.blocks.flatMap(({ attributes }) =>
    attributes.filter(({ name }) => name === 'ManagedPolicyArns'),
  );

  it('gives the lines of a list without their indentation in the file', () => {
    expect(attribute && valueCode(source, attribute)).toBe('- one\n- two');
  });

  it('is unchanged by replaceValue', () => {
    const edits = attribute ? replaceValue(source, attribute, valueCode(source, attribute)) : [];
    expect(edits).toHaveLength(1);
    expect(applyEdits(text, edits)).toBe(text);
  });
});
