import { expect, test } from 'vitest';
import { loadLexicon } from '../lexicon/lexicon.ts';
import { readText } from './read-text.ts';

const lexicon = loadLexicon();

function idsIn(text: string, names: string[] = []): string[] {
  return [...readText(lexicon, text, names).concepts].map((concept) => lexicon.concepts[concept]?.id ?? '').toSorted();
}

test('a phrase for a flaw also names the object', () => {
  expect(idsIn('unencrypted bucket')).toEqual(['encryption_at_rest', 's3']);
});

test('an object whose name sounds like a flaw is only an object', () => {
  expect(idsIn('activity log')).toEqual(['activity_log']);
  expect(idsIn('secrets manager')).toEqual(['secrets_manager']);
});

test('a detail is found within a phrase', () => {
  expect(idsIn('java version')).toEqual(['java', 'runtime_version']);
});

test('0.0.0.0/0 is read as any address', () => {
  expect(idsIn('0.0.0.0/0')).toEqual(['open_ingress']);
  expect(idsIn('::/0')).toEqual(['open_ingress']);
  expect(idsIn('from 0.0.0.0/1 and 2000::/3')).toEqual(['open_ingress']);
  expect(idsIn('10.0.0.0/8, fd00::/8')).toEqual([]);
});

test('a star means everything', () => {
  expect(idsIn('Action = "*"')).toEqual(['least_privilege']);
  expect(idsIn('**bold**')).toEqual([]);
});

test('names of resources say nothing about the flaw', () => {
  expect(idsIn("Resource 'aws_s3_bucket.public_data' is not versioned")).toEqual(['versioning']);
  expect(idsIn('bucket public_data is not versioned', ['public_data'])).toEqual(['s3', 'versioning']);
  expect(idsIn("The bucket 'audit-logs' is not versioned")).toEqual(['s3', 'versioning']);
});

test('encryption that is disabled is about encryption', () => {
  expect(idsIn('Disabled encryption')).toEqual(['encryption']);
});

test('names of actions and links are not read as sentences', () => {
  expect(idsIn('escalation by iam:AttachUserPolicy')).toEqual(['privilege_escalation']);
  expect(idsIn('see https://example.org/http/logging')).toEqual([]);
});

test('words without meaning for a comparison are left out', () => {
  expect([...readText(lexicon, 'Ensure that the resource 123 has a frobnicator').words]).toEqual(['frobnicator']);
});

test('adjacent words are also kept joined', () => {
  expect(readText(lexicon, 'tick tock').said.has('ticktock')).toBe(true);
});

test('only the beginning of a huge text is read', () => {
  for (const piece of ['aws_', 'a:', '*"', '0.0.0.0', 'http://', '((((', 'encryption at ']) {
    const beginning = piece.repeat(6000);
    expect(readText(lexicon, `${beginning} frobnicator`), piece).toEqual(readText(lexicon, beginning));
  }
});
