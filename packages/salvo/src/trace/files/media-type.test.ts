import { describe, expect, test } from 'vitest';
import { GIF, JPEG, PDF, SVG, samplePng, WEBP } from '../../../../../test/sample-images.ts';
import { mediaTypeOf, plainType, SHOWN_IMAGES, typeOfContent, typeOfName } from './media-type.ts';

describe('the type of a file', () => {
  test.each([
    ['image/png', samplePng()],
    ['image/jpeg', JPEG],
    ['image/gif', GIF],
    ['image/webp', WEBP],
    ['application/pdf', PDF],
    [undefined, SVG],
    [undefined, Buffer.alloc(0)],
    [undefined, Buffer.from('RIFF\0\0\0\0WAVE')],
    [undefined, samplePng().subarray(0, 7)],
  ])('%s is known by its first bytes', (type, content) => {
    expect(typeOfContent(content)).toBe(type);
  });

  test('is that of its content, whatever is said about it', () => {
    expect(mediaTypeOf(JPEG, 'image/png')).toBe('image/jpeg');
    expect(mediaTypeOf(samplePng(), 'text/html')).toBe('image/png');
  });

  test('is refused if its content is not what a viewer or a provider would take it for', () => {
    expect(mediaTypeOf(SVG, 'image/png')).toBeNull();
    expect(mediaTypeOf(Buffer.from('<html>'), 'application/pdf')).toBeNull();
  });

  test('is what is said, if nothing can be checked', () => {
    expect(mediaTypeOf(Buffer.from('a,b'), 'text/csv; charset=utf-8')).toBe('text/csv');
    expect(mediaTypeOf(Buffer.from('x'), undefined)).toBe('application/octet-stream');
  });

  test('is written as providers want it', () => {
    expect(plainType(' IMAGE/JPG')).toBe('image/jpeg');
    expect(typeOfName('Scan.JPEG')).toBe('image/jpeg');
    expect(typeOfName('constructor')).toBeUndefined();
  });

  test('is never one with scripts among those that pages show', () => {
    expect([...SHOWN_IMAGES].filter((type) => /svg|html|xml/.test(type))).toEqual([]);
  });
});
