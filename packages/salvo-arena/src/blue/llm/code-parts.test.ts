import { describe, expect, it } from 'vitest';
import { codeParts } from './code-parts.ts';

const bucket = (index: number) => `resource "aws_s3_bucket" "b${index}" {\n  bucket = "name-${index}"\n}\n\n`;
const SMALL = 'variable "open" {\n  default = true\n}\n';

async function linesShown(files: Record<string, string>, most: number): Promise<Map<string, string>> {
  const parts = await codeParts(files, most);
  const shown = new Map<string, string>();
  for (const { file, firstLine, text } of parts.flatMap(({ pieces }) => pieces)) {
    for (const [index, line] of text.split('\n').entries()) {
      const place = `${file}:${firstLine + index}`;
      shown.set(place, shown.has(place) && shown.get(place) !== line ? shown.get(place) + line : line);
    }
  }
  return shown;
}

describe('code for a model', () => {
  it('is one part with all files when it fits', async () => {
    const parts = await codeParts({ 'a.tf': bucket(1), 'b.json': '{}\n' }, 1000);
    expect(parts).toHaveLength(1);
    expect(parts[0]?.pieces.map(({ file, firstLine }) => [file, firstLine])).toEqual([
      ['a.tf', 1],
      ['b.json', 1],
    ]);
  });

  it('is otherwise cut between resources, with the variables in every part', async () => {
    const code = Array.from({ length: 100 }, (_, index) => bucket(index)).join('');
    const parts = await codeParts({ 'main.tf': code, 'variables.tf': SMALL }, 3000);
    expect(parts.length).toBeGreaterThan(2);
    for (const { pieces } of parts) {
      expect(pieces[0]).toMatchObject({ file: 'variables.tf', isContext: true });
      const text = pieces.map((piece) => piece.text).join('\n');
      expect(text.length).toBeLessThanOrEqual(3000);
      expect(text.match(/^resource/gm)?.length).toBe(text.match(/bucket = /g)?.length);
    }
  });

  it('shows every line of every file with its number', async () => {
    const code = `# head\n${Array.from({ length: 30 }, (_, index) => bucket(index)).join('')}`;
    const template = `Resources:\n${Array.from({ length: 30 }, (_, i) => `  B${i}:\n    Type: AWS::S3::Bucket\n`).join('')}`;
    const files = {
      'main.tf': code,
      't.yaml': template,
      'policy.json': '{"a":\n1}',
      'one-line.json': `{"x": "${'y'.repeat(5000)}"}`,
    };
    const shown = await linesShown(files, 1500);
    for (const [file, text] of Object.entries(files)) {
      const lines = text.replace(/\n$/, '').split('\n');
      for (const [index, line] of lines.entries()) expect(shown.get(`${file}:${index + 1}`)).toBe(line);
    }
  });

  it('cuts a block that is too long between its lines', async () => {
    const long = `locals {\n${Array.from({ length: 200 }, (_, index) => `  value_${index} = ${index}`).join('\n')}\n}\n`;
    const shown = await linesShown({ 'main.tf': long }, 1200);
    expect(shown.get('main.tf:101')).toBe('  value_99 = 99');
  });

  it('is refused when it would take too many questions', async () => {
    await expect(codeParts({ 'main.tf': 'x = 1\n'.repeat(50_000) }, 1200)).rejects.toThrow(/Raise maxCharacters/);
  });
});
