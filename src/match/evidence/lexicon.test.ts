import { expect, test } from 'vitest';
import { dataFile } from '../../text/data-file.ts';
import { compileLexicon } from './compile-lexicon.ts';
import { loadLexicon } from './lexicon.ts';
import { lexiconSchema } from './lexicon-schema.ts';

const file = lexiconSchema.parse(JSON.parse(dataFile(import.meta.url, './lexicon.json')));

test('the lexicon is read once', () => {
  expect(loadLexicon()).toBe(loadLexicon());
});

test('what people are told of a concept names it alone', () => {
  const told = Object.values(file.aspects).map(({ says }) => says);
  expect(told.filter((says, index) => told.indexOf(says) !== index)).toEqual([]);
});

test('every object can be found by words or by the type of a resource', () => {
  for (const [id, { words, types }] of Object.entries(file.objects)) {
    expect(words.length + (types?.length ?? 0), id).toBeGreaterThan(0);
  }
});

test('a type of resource belongs to the object with the longest beginning', () => {
  const { concepts, objectOfType } = loadLexicon();
  const idOf = (type: string) => concepts[objectOfType(type) ?? -1]?.id ?? null;
  expect(idOf('aws_s3_bucket_acl')).toBe('s3');
  expect(idOf('aws_s3_bucket_object')).toBe('s3_object');
  expect(idOf('aws::rds::dbinstance')).toBe('rds');
  expect(idOf('azurerm_linux_virtual_machine_scale_set')).toBe('scale_set');
  expect(idOf('google_container_node_pool')).toBe('node_group');
  expect(idOf('unheard_of')).toBeNull();
});

test('a reference to what is not there is an error', () => {
  expect(() => compileLexicon({ ...file, dimension_aspects: { port: 'nowhere' } })).toThrow("'nowhere'");
});
