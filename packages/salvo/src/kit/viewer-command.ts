export { serveResult } from '../cli/results/view.ts';
