import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { paragraphs, wordFile } from '../support/office-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'papers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const project = resolve(import.meta.dirname, '../..');

/** Runs the command in an empty folder and without settings. */
const run = (...args: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => {
    const program = join(project, 'server/school-command.ts');
    execFile(process.execPath, [program, 'questions', ...args], { cwd: folder, env: {} }, (error, out, err) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, wordFile({ body: paragraphs(text) }));
  return path;
}

describe('npm run school -- questions', () => {
  test('prints a paper with its answer key as JSON, and writes nothing', async () => {
    const paper = write(
      '试卷.docx',
      '一、选择题（每小题2分）\n1．甲（  ）\nA．一  B．二\n二、判断题\n2．乙（  ）\n三、简答题\n3．问：\n（1）丙？\n（2）丁？',
    );
    const key = write('答案.docx', '参考答案\n1．B  2．√\n3．（1）丙一\n（2）丁一');
    const { code, out } = await run(paper, key, '--json');
    expect(code).toBe(0);
    const read = JSON.parse(out);
    expect(Object.keys(read)).toEqual(['format', 'questions', 'left_out', 'doubts']);
    expect(read.format).toBe('docx-paper');
    expect(read.questions).toMatchObject([
      { number: '1', type: 1, options: ['一', '二'], answer: 'B', score: 2, parts: [], doubts: [] },
      { number: '2', type: 2, answer: 'A', score: null },
      {
        number: '3',
        type: 6,
        answer: '',
        parts: [
          { number: '(1)', type: 5, answer: '丙一' },
          { type: 5, answer: '丁一' },
        ],
      },
    ]);
    expect(readdirSync(folder).sort()).toEqual(['答案.docx', '试卷.docx'].sort());
  });

  test('says in short what is in a file', async () => {
    const { code, out } = await run(write('短.docx', '1. 甲（  ）\nA. 一  B. 二\n2. 乙（ B ）\nA. 一  B. 二'));
    expect(code).toBe(0);
    expect(out).toContain('Word 试卷：2道题（单选题2道）');
    expect(out).toContain('第1行：缺少答案');
  });

  test('exits with 1 where nothing is found or the file is refused, with 2 for wrong words', async () => {
    const nothing = await run(write('通知.docx', '通知\n明天放假'), '--json');
    expect([nothing.code, JSON.parse(nothing.out).questions]).toEqual([1, []]);
    expect(JSON.parse(nothing.out).doubts).toEqual(['文件：没有识别到题目，请按模板填写']);
    expect(await run(join(folder, 'missing.docx'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('文件无法读取'),
    });
    expect((await run()).code).toBe(2);
    expect((await run('--fast')).code).toBe(2);
  });
});
