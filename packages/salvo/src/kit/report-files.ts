export { csvField } from '../report/csv-field.ts';
export { createChunkedWriter, type Write } from '../report/terminal/chunked-writer.ts';
export { renderEstimateLayout } from '../report/terminal/estimate-layout.ts';
