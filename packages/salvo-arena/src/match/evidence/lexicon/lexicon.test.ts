import { expect, test } from 'vitest';
import { dataFile } from '../../../../../salvo/src/text/modules/data-file.ts';
import { compileLexicon } from './compile-lexicon.ts';
import { loadLexicon } from './lexicon.ts';
import { lexiconSchema } from './lexicon-schema.ts';
import { loadWordTable } from './word-table.ts';

const file = lexiconSchema.parse(JSON.parse(dataFile(import.meta.url, './lexicon.json')));

test('the lexicon is read once', () => {
  expect(loadLexicon()).toBe(loadLexicon());
});

test('the name of a concept in explanations is unique', () => {
  const names = Object.values(file.aspects).map(({ says }) => says);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('every object can be found by words or by the type of a resource', () => {
  const unreachable = Object.entries(file.objects).filter(
    ([, { words, types = [] }]) => words.length + types.length === 0,
  );
  expect(Object.keys(file.objects).length).toBeGreaterThan(100);
  expect(unreachable).toEqual([]);
});

test('a type of resource belongs to the object with the longest prefix', () => {
  const { concepts, objectOfType } = loadLexicon();
  const idOf = (type: string) => concepts[objectOfType(type) ?? -1]?.id ?? null;
  expect(idOf('aws_s3_bucket_acl')).toBe('s3');
  expect(idOf('aws_s3_bucket_object')).toBe('s3_object');
  expect(idOf('aws::rds::dbinstance')).toBe('rds');
  expect(idOf('azurerm_linux_virtual_machine_scale_set')).toBe('scale_set');
  expect(idOf('google_container_node_pool')).toBe('node_group');
  expect(idOf('unheard_of')).toBeNull();
});

test('a reference to an undefined concept is an error', () => {
  expect(() => compileLexicon({ ...file, dimension_aspects: { port: 'nowhere' } }, loadWordTable())).toThrow(
    "'nowhere'",
  );
});
