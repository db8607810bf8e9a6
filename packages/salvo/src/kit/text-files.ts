export { readCsvTable } from '../text/csv/csv-table.ts';
export { readJsonStream } from '../text/json/json-in-stream.ts';
export { parseYaml } from '../text/parse-yaml.ts';
export { snakeCase } from '../text/snake-case.ts';
