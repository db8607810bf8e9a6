export { csvField } from '../report/csv-field.ts';
export { markdownTable, markdownText } from '../report/markdown-text.ts';
export { bar, sparkline } from '../report/terminal/bar.ts';
export { createChunkedWriter, type Write } from '../report/terminal/chunked-writer.ts';
export { renderEstimateLayout } from '../report/terminal/estimate-layout.ts';
export { asciiSymbols, type Canvas, type Look, renderFor } from '../report/terminal/look.ts';
export { createStyle, type Style } from '../report/terminal/style.ts';
export { type Cell, type Column, renderTable } from '../report/terminal/table.ts';
export { fewLines, joinBlocks, wrap } from '../report/terminal/wrap.ts';
