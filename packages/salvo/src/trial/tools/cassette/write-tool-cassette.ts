import { Document, isScalar, visit } from 'yaml';
import { canonicalJson } from '../../../text/json/canonical-json.ts';
import { compareNames } from '../../../text/words/names.ts';
import {
  type RecordedPrompt,
  sortedCalls,
  TOOL_CASSETTE_VERSION,
  type ToolCassetteContents,
} from './tool-cassette-document.ts';

const HEADER = ' Answers of real tools, recorded by Salvo. Read this file before you commit it.';

/** What only double quotes can hold: control characters, odd line ends and halves of characters. */
const UNUSUAL = /[^\n\t\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

function sortedPrompts(prompts: readonly RecordedPrompt[]): RecordedPrompt[] {
  const orderOf = ({ name, arguments: args }: RecordedPrompt) => canonicalJson([name, args]);
  return [...prompts].sort((a, b) => compareNames(orderOf(a), orderOf(b)));
}

/** The file: YAML that people can review, with everything in a fixed order. */
export function toolCassetteText({ servers, prompts, tools }: ToolCassetteContents): string {
  const byName = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => compareNames(a, b));
  const document = new Document(
    {
      version: TOOL_CASSETTE_VERSION,
      ...(servers.size > 0 && { servers: Object.fromEntries(byName(servers)) }),
      ...(prompts.size > 0 && {
        prompts: Object.fromEntries(byName(prompts).map(([server, asked]) => [server, sortedPrompts(asked)])),
      }),
      tools: Object.fromEntries(
        byName(tools).map(([name, tool]) => [name, { ...tool, calls: sortedCalls(tool.calls) }]),
      ),
    },
    { aliasDuplicateObjects: false },
  );
  document.commentBefore = HEADER;
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && UNUSUAL.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  // JSON's rules leave these as they are, and the reader refuses them.
  return text.replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
