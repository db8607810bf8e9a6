export { documentJson, type OtherKind } from '../app/documents/document-kinds.ts';
export type { DocumentsDoor } from '../app/documents/documents-door.ts';
export {
  fileWithNamed,
  isInside,
  isInstalled,
  mentionsWord,
  type NamedFile,
  ownFilesOfCommand,
} from '../app/project/named-files.ts';
export { projectEnv } from '../app/project/project-env.ts';
export { readTextFile } from '../app/project/read-text-file.ts';
export { adapterFromFolder } from '../app/selection/candidates.ts';
export {
  openWorkers,
  refuseWithoutWorkers,
  type WorkerUse,
  type WorkNeeds,
  whyWaiting,
} from '../app/work/workers-door.ts';
