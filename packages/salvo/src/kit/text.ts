export { readCsvTable } from '../text/csv/csv-table.ts';
export type { ErrorCode } from '../text/errors/error-codes.ts';
export { errorCode, errorMessage, SalvoError, type SourceLocation } from '../text/errors/salvo-error.ts';
export { isUnreadable, type UnreadableError } from '../text/errors/unreadable-error.ts';
export { canonicalJson, contentHash } from '../text/json/canonical-json.ts';
export { isRecord } from '../text/json/is-record.ts';
export { readJsonStream } from '../text/json/json-in-stream.ts';
export { jsonOrUndefined, jsonValuesIn } from '../text/json/json-in-text.ts';
export { jsonSyntaxError } from '../text/json/json-syntax-error.ts';
export { bracketsFrom, isNestedTooDeeply, MAX_NESTING } from '../text/json/nesting.ts';
export { memoByKey, memoByWord, once, remembered } from '../text/memo.ts';
export { dataFile, dataFolder, fileOf } from '../text/modules/data-file.ts';
export { dependencyFile } from '../text/modules/dependency.ts';
export { exampleFolder } from '../text/modules/example-folder.ts';
export {
  isAllCodeRefused,
  permitCode,
  permitNoCode,
  refuseAllCode,
  refuseUnpermitted,
} from '../text/modules/permitted-code.ts';
export { salvoVersion } from '../text/modules/salvo-version.ts';
export { openResources } from '../text/open-resources.ts';
export { harmlessJson, plainText } from '../text/output/plain-text.ts';
export { quoteOutput, shellQuote } from '../text/output/quote-output.ts';
export { characters, displayWidth, safeBlock, safeLine } from '../text/output/safe-text.ts';
export { salvoCommand } from '../text/output/salvo-command.ts';
export { parseYaml } from '../text/parse-yaml.ts';
export { readLimitedSync } from '../text/read-limited.ts';
export { type SnakeCase, snakeCase } from '../text/snake-case.ts';
export { sourceText, type TextLines, textLines } from '../text/source-text.ts';
export { cutEnd, cutMiddle } from '../text/words/cut-text.ts';
export { suggestion, suggestionSentence } from '../text/words/did-you-mean.ts';
export { compareNames, foldedName } from '../text/words/names.ts';
export { kindOfValue, list } from '../text/words/value-words.ts';
export { stem, wordsOf } from '../text/words/words.ts';
