import { benchArena } from './arena.ts';
import { benchCalibrationCoverage } from './calibration-coverage.ts';
import { benchCascade } from './cascade.ts';
import { benchCases } from './cases.ts';
import { benchChaos } from './chaos.ts';
import { benchCombinations } from './combinations.ts';
import { benchCompare } from './compare.ts';
import { benchCorrectionCoverage } from './correction-coverage.ts';
import { benchCoverage } from './coverage.ts';
import { benchDifficulty } from './difficulty.ts';
import { benchHandwriting } from './handwriting.ts';
import { benchHostileText } from './hostile-text.ts';
import { benchAgainstIdealTime } from './ideal-time.ts';
import { benchImport } from './import.ts';
import { benchIntervalCoverage } from './interval-coverage.ts';
import { benchJudgeBiases } from './judge-biases.ts';
import { benchJudgeOverhead } from './judge-overhead.ts';
import { benchMatch } from './match.ts';
import { benchMatchAgreement } from './match-agreement.ts';
import { benchMemory } from './memory.ts';
import { benchModelCall } from './model-call.ts';
import { benchMutate } from './mutate.ts';
import { benchPairwise } from './pairwise.ts';
import { benchPeakMemory } from './peak-memory.ts';
import { benchQueue } from './queue.ts';
import { benchRuleExamples } from './rule-examples.ts';
import { benchScale } from './scale.ts';
import { benchStarts } from './starts.ts';
import { benchStoredTrials } from './stored-trials.ts';
import { benchToolFaults } from './tool-faults.ts';
import { benchUnresolved } from './unresolved.ts';
import { benchUntilDecided } from './until-decided.ts';
import { benchView } from './view.ts';
import { benchVotesSaved } from './votes-saved.ts';
import { benchWhichJudge } from './which-judge.ts';
import { benchWorkers } from './workers.ts';

const benches = {
  starts: benchStarts,
  'stored-trials': benchStoredTrials,
  cases: benchCases,
  'model-call': benchModelCall,
  'judge-overhead': benchJudgeOverhead,
  'votes-saved': benchVotesSaved,
  'interval-coverage': benchIntervalCoverage,
  compare: benchCompare,
  'until-decided': benchUntilDecided,
  'correction-coverage': benchCorrectionCoverage,
  'calibration-coverage': benchCalibrationCoverage,
  'which-judge': benchWhichJudge,
  'judge-biases': benchJudgeBiases,
  'tool-faults': benchToolFaults,
  pairwise: benchPairwise,
  cascade: benchCascade,
  'ideal-time': benchAgainstIdealTime,
  'peak-memory': benchPeakMemory,
  mutate: benchMutate,
  match: benchMatch,
  'match-agreement': benchMatchAgreement,
  arena: benchArena,
  combinations: benchCombinations,
  coverage: benchCoverage,
  unresolved: benchUnresolved,
  difficulty: benchDifficulty,
  'rule-examples': benchRuleExamples,
  handwriting: benchHandwriting,
  memory: benchMemory,
  'hostile-text': benchHostileText,
  import: benchImport,
  queue: benchQueue,
  workers: benchWorkers,
  chaos: benchChaos,
  view: benchView,
  scale: benchScale,
};

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  for (const line of await bench()) console.log(`  ${line}`);
}
