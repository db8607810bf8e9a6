import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripHints } from './strip-hints.ts';

const shownTexts = async (files: Record<string, string>) => Object.values((await stripHints(files)).files);

describe('code without hints', () => {
  it('has no comments, and every line keeps its number', async () => {
    const text = [
      '# flaw 1 is below',
      'resource "aws_s3_bucket" "data" { // public',
      '  /* two',
      '     lines */ acl = "public-read" # on purpose',
      '  name = "a#b" ',
      '}',
      '',
    ].join('\r\n');
    const [shown = ''] = await shownTexts({ 'main.tf': text });
    expect(shown).not.toMatch(/flaw|public$|two|lines|purpose/m);
    expect(shown).toContain('name = "a#b"');
    expect(shown.split('\n')).toHaveLength(text.split('\n').length);
    expect(shown.split('\r\n')[3]).toContain('acl = "public-read"');
  });

  it('has no comments in templates either, nor in other YAML', async () => {
    const template = 'Resources: # all wrong\n  # V-1\n  A:\n    Type: AWS::S3::Bucket\n    Name: "#x"\n';
    expect(await shownTexts({ 'template.yaml': template, 'other.yaml': 'a: 1 # hint\nb: "#2"\n' })).toEqual([
      'Resources:\n\n  A:\n    Type: AWS::S3::Bucket\n    Name: "#x"\n',
      'a: 1\nb: "#2"\n',
    ]);
  });

  it('has no comments in Terraform JSON, where they are values', async () => {
    const text = '{"//": "the \\"flaw\\"",\n "locals": {"a": "//"}}';
    expect(await shownTexts({ 'main.tf.json': text })).toEqual(['{"//": "",\n "locals": {"a": "//"}}']);
  });

  it('keeps code between two comments of a line separate', async () => {
    expect(await shownTexts({ 'main.tf': 'a = [1,/* x */2]\n' })).toEqual(['a = [1, 2]\n']);
  });

  it('leaves out manifests, findings and scores', async () => {
    const { files } = await stripHints({
      'code/main.tf': 'a = 1\n',
      'policy.json': '{"Statement": []}',
      'vulnerability_manifest.json': '{"vulnerabilities": []}',
      'hidden.json': '{"vulnerabilities": [{"id": "1"}]}',
      'findings.json': '[]',
      'twin_findings.json': '[]',
      'scores.json': '{"f1_score": 1}',
      'game.json': '{"game_id": "1"}',
    });
    expect(Object.keys(files)).toEqual(['code/main.tf', 'file-1.json']);
  });

  it('has names that can be mapped back', async () => {
    const shown = await stripHints({ 'open-bucket.tf': '', 'main.tf': '' });
    expect(Object.keys(shown.files).sort()).toEqual(['file-1.tf', 'main.tf']);
    expect(shown.realName('file-1.tf')).toBe('open-bucket.tf');
    expect(shown.realName('other.tf')).toBeUndefined();
    expect(shown.withRealNames('See file-1.tf, file-11.tf and main.tf.')).toBe(
      'See open-bucket.tf, file-11.tf and main.tf.',
    );
  });

  it('knows the languages of the code', async () => {
    const { languages } = await stripHints({ 'main.tf': '', 'template.json': '{"Resources": {}}', 'x.json': '{}' });
    expect([...languages].sort()).toEqual(['cloudformation', 'terraform']);
  });

  it('has as many lines as the code, for any code', async () => {
    const line = fc.constantFrom(
      'a = 1',
      '# c',
      '/*',
      '*/',
      '// x',
      '"',
      '<<EOT',
      'EOT',
      '}',
      '${',
      '\u0000',
      ' #',
      '',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const text = lines.join('\n');
        const [shown = ''] = await shownTexts({ 'main.tf': text });
        expect(shown.split('\n')).toHaveLength(text.split('\n').length);
      }),
      { numRuns: 60 },
    );
  });
});
