import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one colour, which browsers can show. */
export function samplePng(size = 24, [red, green, blue]: [number, number, number] = [200, 60, 40]): Buffer {
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: size }, () => Buffer.from([red, green, blue]))]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

export const JPEG = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0', 'latin1');
export const GIF = Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1');
export const WEBP = Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0', 'latin1');
export const PDF = Buffer.from('%PDF-1.7\n%%EOF\n');
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
