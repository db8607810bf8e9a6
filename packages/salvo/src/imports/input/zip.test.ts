import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { isZip, openZip } from './zip.ts';

interface Packed {
  name: string;
  content: string;
  method?: number;
  /** What the archive says about its size, if that is not true. */
  claimed?: number;
}

/** An archive as the format's description says: files with their headers, the list of them, and its place. */
function archive(files: Packed[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name, content, method = 8, claimed } of files) {
    const packed = method === 8 ? deflateRawSync(content) : Buffer.from(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimed ?? Buffer.byteLength(content), 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const header = Buffer.concat([Buffer.from('504b0304', 'hex'), common, Buffer.from(name), packed]);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    list.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), common, end, Buffer.from(name)]));
    parts.push(header);
    offset += header.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

function written(bytes: Buffer): string {
  const file = join(temporaryFolder(), 'a.zip');
  writeFileSync(file, bytes);
  return file;
}

it('reads packed and stored files', async () => {
  const bytes = archive([
    { name: 'header.json', content: '{"a": 1}' },
    { name: 'samples/ü.json', content: 'x'.repeat(10_000), method: 0 },
  ]);
  expect(isZip(bytes)).toBe(true);
  await using zip = await openZip(written(bytes));
  expect(zip.entries.map(({ name, bytes: size }) => [name, size])).toEqual([
    ['header.json', 8],
    ['samples/ü.json', 10_000],
  ]);
  const contents = await Promise.all(zip.entries.map((entry) => zip.read(entry)));
  expect(contents.map(String)).toEqual(['{"a": 1}', 'x'.repeat(10_000)]);
});

it('unpacks no more than the archive says, and no more than is allowed', async () => {
  const bomb = archive([{ name: 'bomb', content: 'x'.repeat(1_000_000), claimed: 100 }]);
  await using zip = await openZip(written(bomb));
  const [entry = expect.fail()] = zip.entries;
  await expect(zip.read(entry)).rejects.toThrow(/damaged zip archive: bomb cannot be unpacked/);
  await expect(zip.read({ ...entry, bytes: 2_000_000_000 })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
});

it('says that an archive is damaged, wherever it is cut or changed', async () => {
  const whole = archive([{ name: 'a.json', content: '{"a": [1, 2, 3]}' }]);
  for (let length = 0; length < whole.length; length += 7) {
    await expect(openZip(written(whole.subarray(0, length)))).rejects.toMatchObject({ code: 'FILE_INVALID' });
  }
  for (let at = 0; at < whole.length; at += 3) {
    const changed = Buffer.from(whole);
    changed[at] = 0xff;
    const reading = async () => {
      await using zip = await openZip(written(changed));
      for (const entry of zip.entries) await zip.read(entry);
    };
    await reading().catch((error) => expect(error.code).toMatch(/^FILE_(?:INVALID|TOO_LARGE)$/));
  }
});

it('does not read what is packed in another way', async () => {
  await using zip = await openZip(written(archive([{ name: 'a', content: 'x', method: 12 }])));
  const [entry = expect.fail()] = zip.entries;
  await expect(zip.read(entry)).rejects.toThrow(/packed by the method 12/);
});
