import { describe, expect, it } from 'vitest';
import { dataFile, dataFolder, fileOf } from './data-file.ts';

describe('data files', () => {
  it('are found relative to the calling module', () => {
    expect(JSON.parse(dataFile(import.meta.url, '../../../package.json'))).toMatchObject({ name: 'salvo' });
  });

  it('come by folder with their paths in it, sorted', () => {
    const folder = dataFolder(import.meta.url, '../../../../../examples/starter');
    expect(Object.keys(folder)).toEqual(['salvo.yaml', 'scenarios/weather.yaml']);
    expect(fileOf(folder, 'scenarios/weather.yaml')).toContain('umbrella');
  });

  it.each(['missing.md', 'constructor'])('refuse a name that the folder does not have: %s', (name) => {
    expect(() => fileOf({}, name)).toThrow(`The data file ${name} is missing`);
  });
});
