export { type Block, figure, type ReportDocument, type Text, type Tone, table } from '../report/document/document.ts';
export { toMarkdown } from '../report/document/markdown.ts';
export { terminalBlocks, toTerminal } from '../report/document/terminal.ts';
export { markdownTable, markdownText } from '../report/markdown-text.ts';
export { bar, sparkline } from '../report/terminal/bar.ts';
export { asciiSymbols, type Canvas, type Look, renderFor } from '../report/terminal/look.ts';
export { createStyle, type Style } from '../report/terminal/style.ts';
export { type Cell, type Column, renderTable } from '../report/terminal/table.ts';
export { fewLines, joinBlocks, wrap } from '../report/terminal/wrap.ts';
