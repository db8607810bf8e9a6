import { parseCode } from '../../../iac/parse-code.ts';
import type { BlueTeam } from '../blue-team.ts';
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
        metadata: {
          blue: 'rules',
          mode: 'tools_only',
          dropped: [],
          model_calls: 0,
          input_tokens: null,
          output_tokens: null,
          cost_usd: null,
        },
      };
    },
  };
}
