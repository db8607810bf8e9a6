export { againstBaseline } from '../app/compare/against.ts';
export { readResults } from '../run/compare/read-results.ts';
