import { expect, it } from 'vitest';
import { applyEdits } from '../../../iac/edit/edits.ts';
import { parseCode } from '../../../iac/syntax/parse-code.ts';
import { withBlockLists } from './block-lists.ts';

it('writes a list that replaces a value as templates write lists', async () => {
  const statement = '      - Effect: Allow\n        Action: s3:GetObject\n        Resource: "*"\n';
  const text = `Resources:\n  A:\n    Type: AWS::IAM::Policy\n    Properties:\n      Statement:\n${statement}`;
  const start = text.indexOf('s3:GetObject');
  const plain = [{ start, end: start + 's3:GetObject'.length, text: '[iam:PassRole, iam:CreateUser]' }];
  const [change] = withBlockLists(await parseCode({ 'a.yaml': text }), [{ file: 'a.yaml', edits: plain }]);
  expect(applyEdits(text, change?.edits ?? [])).toContain(
    '        Action:\n          - iam:PassRole\n          - iam:CreateUser\n        Resource: "*"\n',
  );
});
