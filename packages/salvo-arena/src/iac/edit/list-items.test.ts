import { describe, expect, it } from 'vitest';
import { parseCode } from '../syntax/parse-code.ts';
import { applyEdits } from './edits.ts';
import { insertListItem, removeListItem } from './list-items.ts';

const template = (list: string) =>
  `Resources:\n  A:\n    Type: AWS::X::Y\n    Properties:\n      List:${list}\n      Last: 1\n`;
const hcl = (list: string) => `resource "a_b" "c" {\n  list = ${list}\n}\n`;

async function listIn(file: string, text: string) {
  const [source] = (await parseCode({ [file]: text })).files;
  const list = source?.blocks[0]?.attributes[0]?.value;
  if (!source || list?.kind !== 'list') throw new Error('there is no list');
  return { source, list };
}

const FORMS: [form: string, file: string, one: string, two: string, item: string][] = [
  ['a YAML list of lines', 't.yaml', template('\n        - a'), template('\n        - a\n        - b'), 'b'],
  [
    'a YAML list of maps',
    't.yaml',
    template('\n        - K: a\n          V: 1'),
    template('\n        - K: a\n          V: 1\n        - K: b\n          V: 2'),
    'K: b\nV: 2',
  ],
  ['a YAML list in brackets', 't.yaml', template(' [a]'), template(' [a, b]'), 'b'],
  ['a list on one line', 'main.tf', hcl('["a"]'), hcl('["a", "b"]'), '"b"'],
  ['a list of lines', 'main.tf', hcl('[\n    "a"\n  ]'), hcl('[\n    "a",\n    "b"\n  ]'), '"b"'],
];

describe.each(FORMS)('%s', (_form, file, one, two, item) => {
  it('gets one more element', async () => {
    const { source, list } = await listIn(file, one);
    expect(applyEdits(one, insertListItem(source, list, item) ?? [])).toBe(two);
  });

  it('loses its last element', async () => {
    const { source, list } = await listIn(file, two);
    expect(applyEdits(two, removeListItem(source, list, 1) ?? [])).toBe(one);
  });

  it('keeps its only element', async () => {
    const { source, list } = await listIn(file, one);
    expect(removeListItem(source, list, 0)).toBeNull();
  });
});

describe('removeListItem', () => {
  it('removes the first element with its separator', async () => {
    const text = hcl('["a", "b"]');
    const { source, list } = await listIn('main.tf', text);
    expect(applyEdits(text, removeListItem(source, list, 0) ?? [])).toBe(hcl('["b"]'));
  });
});
