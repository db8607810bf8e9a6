/** The files that have a JSON Schema. */
export const FILE_FORMATS = ['scenario', 'project', 'rubric', 'experiment', 'manifest', 'findings'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];
