import { parseCode } from '../../../iac/parse-code.ts';
import type { BlueTeam } from '../blue-team.ts';
import { toolMetadata } from '../tool-metadata.ts';
import { runRules } from './run-rules.ts';

/** The embedded Blue Team: our own rules, without a model, a scanner or the network. */
export function createRulesBlue(): BlueTeam {
  return {
    name: 'rules',
    async analyze({ files, language, signal }) {
      signal?.throwIfAborted();
      const project = await parseCode(files);
      const wanted = project.files.filter((file) => language === undefined || file.language === language);
      return {
        findings: runRules({ files: wanted }),
        metadata: toolMetadata('rules'),
      };
    },
  };
}
