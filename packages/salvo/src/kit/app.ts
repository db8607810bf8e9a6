export type { DocumentsDoor } from '../app/documents/documents-door.ts';
export {
  fileWithNamed,
  isInstalled,
  mentionsWord,
  type NamedFile,
  ownFilesOfCommand,
} from '../app/project/named-files.ts';
export { projectEnv } from '../app/project/project-env.ts';
export { adapterFromFolder } from '../app/selection/candidates.ts';
export {
  openWorkers,
  refuseWithoutWorkers,
  type WorkerUse,
  type WorkNeeds,
} from '../app/work/workers-door.ts';
export { isInside } from '../scenario/yaml/read-source.ts';
