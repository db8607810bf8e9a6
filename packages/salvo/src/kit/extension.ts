export {
  type Door,
  type Doors,
  defineExtension,
  defineExtension,
  type SalvoExtension,
} from '../extension/extension.ts';
export {
  loadExtension,
  missingPackage,
  openDoor,
  openDoors,
  packageOf,
  registerExtension,
} from '../extension/load-extension.ts';
