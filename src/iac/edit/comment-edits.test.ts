import { describe, expect, it } from 'vitest';
import { parseCode } from '../syntax/parse-code.ts';
import { commentEdits } from './comment-edits.ts';
import { applyEdits } from './edits.ts';

async function without(file: string, text: string): Promise<string> {
  const [source] = (await parseCode({ [file]: text })).files;
  return source ? applyEdits(text, commentEdits(source)) : '';
}

describe('commentEdits', () => {
  it('take comments out of Terraform and leave every line where it is', async () => {
    const text = '# why\na {\n  b = 1 // here\n  /* two\n  lines */ c = "# not // this"\n  d = <<EOF\n# text\nEOF\n}\n';
    expect(await without('a.tf', text)).toBe('\na {\n  b = 1\n  \n c = "# not // this"\n  d = <<EOF\n# text\nEOF\n}\n');
  });

  it('take comments out of YAML', async () => {
    const text =
      '# why\nResources: # r\n  A:\n    # in\n    Type: "#T"\n    Properties:\n      P: |\n        # text\n      Q: a#b # c\n';
    expect(await without('a.yaml', text)).toBe(
      '\nResources:\n  A:\n\n    Type: "#T"\n    Properties:\n      P: |\n        # text\n      Q: a#b\n',
    );
  });

  it('keep carriage returns', async () => {
    expect(await without('a.tf', 'a = 1 # x\r\n# y\r\nb = 2\r\n')).toBe('a = 1\r\n\r\nb = 2\r\n');
    expect(await without('a.yaml', 'Resources: {} # x\r\n# y\r\n')).toBe('Resources: {}\r\n\r\n');
  });
});
