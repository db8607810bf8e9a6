export {
  type Block,
  figure,
  type ReportDocument,
  type ReportItem,
  type Text,
  type Tone,
  table,
} from '../report/document/document.ts';
export { terminalBlocks, toTerminal } from '../report/document/terminal.ts';
export { bar, sparkline } from '../report/terminal/bar.ts';
export { asciiSymbols, type Canvas, createStyle, type Look, renderFor } from '../report/terminal/look.ts';
export { renderTable } from '../report/terminal/table.ts';
export { fewLines, joinBlocks, wrap } from '../report/terminal/wrap.ts';
