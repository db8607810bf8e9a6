import { describe, expect, it } from 'vitest';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { allTemplates } from '../../templates/templates.ts';
import { haveSameShape } from './same-shape.ts';
import { secureTemplate } from './secure-template.ts';

describe('the harmless edit', () => {
  it('of a place has the shape of the flaw', async () => {
    const different: string[] = [];
    let count = 0;
    for (const template of allTemplates().filter((_, at) => at % 4 === 0)) {
      const secure = await secureTemplate(template);
      for (const site of secure.sites) {
        const { plain, harmless } = secure.editsFor(site);
        if (!harmless) continue;
        count += 1;
        const isSame = haveSameShape(secure.project, { safe: { edits: harmless }, weak: { edits: plain } });
        if (!isSame) different.push(`${template.id} ${site.key}`);
      }
    }
    expect(different).toEqual([]);
    expect(count).toBeGreaterThan(200);
  });
});

describe('two forms', () => {
  it.each([
    ['another value of the same kind', '"0.0.0.0/0"', true],
    ['a reference', 'var.range', false],
    ['a list', '["10.0.0.0/8"]', false],
    ['two lines', '"10.0.0.0/8"\n  on = true', false],
  ])('with %s', async (_, code, isSame) => {
    const text = 'resource "aws_x" "a" {\n  range = "10.0.0.0/8"\n}\n';
    const start = text.indexOf('"10.');
    const edits = [{ start, end: start + '"10.0.0.0/8"'.length, text: code }];
    const forms = { safe: { edits: [] }, weak: { edits: [{ file: 'main.tf', edits }] } };
    expect(haveSameShape(await parseCode({ 'main.tf': text }), forms)).toBe(isSame);
  });
});
