import { Document } from 'yaml';
import { canonicalJson } from '../../../text/json/canonical-json.ts';
import { compareNames } from '../../../text/words/names.ts';
import { yamlText } from '../../../text/yaml-text.ts';
import {
  type RecordedPrompt,
  sortedCalls,
  TOOL_CASSETTE_VERSION,
  type ToolCassetteContents,
} from './tool-cassette-document.ts';

const HEADER = ' Answers of real tools, recorded by Salvo. Read this file before you commit it.';

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
  return yamlText(document);
}
