import { JudgeAgent } from '../packages/salvo-arena/src/match/judge-agent.ts';
import { generatedGame } from './generated-game.ts';

// Runs in a process of its own, so that its peak memory can be measured.
const game = generatedGame({ vulnerabilities: 10_000, findings: 10_000, seed: 1 });
new JudgeAgent().score(game.manifest, game.findings);
