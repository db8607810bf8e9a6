export { csvField } from '../report/csv-field.ts';
export {
  type Block,
  figure,
  type ReportDocument,
  type ReportItem,
  type Text,
  type Tone,
  table,
} from '../report/document/document.ts';
export { estimateReport } from '../report/document/estimate.ts';
export { toLatex } from '../report/document/latex.ts';
export { toMarkdown } from '../report/document/markdown.ts';
export { terminalBlocks, toTerminal } from '../report/document/terminal.ts';
export { unreadableExperimentLines } from '../report/store-report.ts';
export { bar, sparkline } from '../report/terminal/bar.ts';
export { createChunkedWriter, type Write } from '../report/terminal/chunked-writer.ts';
export { asciiSymbols, type Canvas, type Look, renderFor } from '../report/terminal/look.ts';
export { createStyle } from '../report/terminal/style.ts';
export { renderTable } from '../report/terminal/table.ts';
export { fewLines, joinBlocks, wrap } from '../report/terminal/wrap.ts';
