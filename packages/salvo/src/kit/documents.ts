export { documentJson, type OtherKind } from '../app/documents/document-kinds.ts';
export { readTextFile } from '../app/project/read-text-file.ts';
