export { csvField } from '../report/csv-field.ts';
export { estimateReport } from '../report/document/estimate.ts';
export { toLatex } from '../report/document/latex.ts';
export { toMarkdown } from '../report/document/markdown.ts';
export { createChunkedWriter, type Write } from '../report/terminal/chunked-writer.ts';
