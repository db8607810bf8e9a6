export { freePort } from '../packages/salvo/src/adapters/program/free-port.ts';
