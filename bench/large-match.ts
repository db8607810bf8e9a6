import { JudgeAgent } from '../src/match/judge-agent.ts';
import { generatedGame } from './generated-game.ts';

// In a process of its own, so that the memory it takes is its own.
const game = generatedGame({ vulnerabilities: 10_000, findings: 10_000, seed: 1 });
new JudgeAgent().score(game.manifest, game.findings);
