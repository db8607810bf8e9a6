import { describe, expect, test } from 'vitest';
import { askForGame } from './play.ts';
import type { GameCommandOptions } from './program/command-options.ts';

const NO_OPTIONS: GameCommandOptions = { judgeCache: true, json: false, force: false, quiet: false, view: false };

/** Answers questions by what they are about; anything else with Enter. */
async function play(answers: Record<string, string | string[]>, options: Partial<GameCommandOptions> = {}) {
  const questions: string[] = [];
  let said = '';
  const write = (text: string): void => {
    said += text;
  };
  const output = { isTTY: true, columns: 80, color: false, write };
  const left = new Map(Object.entries(answers).map(([about, answer]) => [about, [answer].flat()]));
  const chosen = await askForGame(
    { ...NO_OPTIONS, ...options },
    {
      terminal: { stderr: output, env: {}, cwd: '/' },
      async ask(question) {
        questions.push(question);
        if (questions.length > 30) throw new Error('asks for ever');
        const about = [...left.keys()].find((each) => question.startsWith(each));
        return left.get(about ?? '')?.shift() ?? '';
      },
    },
  );
  return { chosen, questions, said };
}

describe('the questions of salvo play', () => {
  test('Enter everywhere gives the default game', async () => {
    const { chosen } = await play({});
    expect(chosen).toMatchObject({
      task: undefined,
      language: 'terraform',
      red: 'mutation',
      blue: 'rules',
      difficulty: 'medium',
      strategy: 'balanced',
      seed: undefined,
      out: undefined,
    });
  });

  test('options of the command line are not asked for', async () => {
    const said = { task: 't', red: 'mutation', blue: 'trivy', language: 'terraform', difficulty: 'hard' } as const;
    const { questions, chosen } = await play({}, { ...said, strategy: 'blitz', seed: 1, out: 'x' });
    expect(questions).toEqual([]);
    expect(chosen).toMatchObject({ ...said, seed: 1, out: 'x' });
  });

  test('the beginning of an answer is enough, and an invalid answer is asked for again', async () => {
    const { chosen, said } = await play({ Difficulty: ['extreme', 'h'], Language: 'cloud', Seed: ['seven', '7'] });
    expect(chosen).toMatchObject({ difficulty: 'hard', language: 'cloudformation', seed: 7 });
    expect(said).toMatch(/one of: easy, medium, hard/);
    expect(said).toMatch(/whole number/);
  });

  test('words find tasks of the catalogue, and a number chooses one', async () => {
    const { chosen, said } = await play({ What: 'three zones network', Which: ['99', '1'] });
    expect(said).toMatch(/1 {2}Network across three zones \(networking\)/);
    expect(chosen.task).toBe('three-zone-network');
    expect((await play({ What: 'three zones network', Which: '0' })).chosen.task).toBe('three zones network');
  });

  test('with a category the strategy is not asked for', async () => {
    const { chosen, questions } = await play({}, { category: 'iam' });
    expect(chosen.strategy).toBeUndefined();
    expect(questions.join()).not.toMatch(/Strategy/);
  });
});
