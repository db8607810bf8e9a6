import { describe, expect, test } from 'vitest';
import { SVG, samplePng } from '../../../../../test/sample-images.ts';
import {
  bytesOfBase64,
  fileOfBytes,
  MOST_FILE_BYTES,
  textWithMarkers,
  urlOfFile,
  withoutMarkers,
} from './message-file.ts';

const png = samplePng();

describe('base64', () => {
  test('is read with or without its end, and over several lines', () => {
    const text = Buffer.from('ab').toString('base64');
    expect([text, text.replace('=', ''), 'YW\n I='].map((each) => bytesOfBase64(each)?.toString())).toEqual([
      'ab',
      'ab',
      'ab',
    ]);
  });

  test.each([
    ['', 'nothing'],
    ['YWJj=', 'a wrong end'],
    ['YWJjZ', 'cut off'],
    ['YW-_', 'other letters'],
    ['data:image/png;base64,YWJj', 'a data URL'],
    ['=', 'only its end'],
    ['A'.repeat(MOST_FILE_BYTES * 2), 'more than a file may have'],
  ])('%.20s is refused: %s', (text) => {
    expect(bytesOfBase64(text)).toBeNull();
  });
});

test('a file has its type, its size and its hash, and its content as a URL', () => {
  const file = fileOfBytes(png, { name: 'a.png', type: 'image/webp' });
  expect(file).toMatchObject({ media_type: 'image/png', name: 'a.png', bytes: png.length });
  expect(file?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(file && urlOfFile(file)).toBe(`data:image/png;base64,${png.toString('base64')}`);
  expect(fileOfBytes(SVG, { type: 'image/png' })).toBeNull();
});

describe('the text of a message', () => {
  const files = [{ media_type: 'image/png', name: 'a.png' }, { media_type: 'application/pdf' }];

  test('names its files', () => {
    expect(textWithMarkers({ content: 'See:', files })).toBe('See:\n[image: a.png]\n[file]');
    expect(textWithMarkers({ content: null, files })).toBe('[image: a.png]\n[file]');
    expect(textWithMarkers({ content: 'plain' })).toBe('plain');
  });

  test('does not name them again if a reader has done so', () => {
    expect(textWithMarkers({ content: 'See:\n[image]', files })).toBe('See:\n[image]');
    expect(withoutMarkers('See:\n[image: a.png]\n[1] is a note')).toBe('See:\n[1] is a note');
  });
});
