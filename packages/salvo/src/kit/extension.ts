export { type Door, type Doors, defineExtension, type SalvoExtension } from '../extension/extension.ts';
export { packageOf } from '../extension/known-packages.ts';
export { loadExtension, missingPackage, openDoor, openDoors, registerExtension } from '../extension/load-extension.ts';
