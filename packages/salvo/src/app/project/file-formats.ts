/** The files that have a JSON Schema. */
export const FILE_FORMATS = ['scenario', 'project', 'rubric'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export function isFileFormat(name: string): name is FileFormat {
  return FILE_FORMATS.some((format) => format === name);
}
