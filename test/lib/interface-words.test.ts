/** Screen labels use the glossary's words. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const files = globSync('{app,server}/**/*.{ts,tsx,mjs}', { exclude: ['server/demo/**'] });
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
const code = files.map((file) => ({ file, text: withoutComments(readFileSync(file, 'utf8')) }));

/** Headers fixed by the specification, and words read from imports or providers. */
const fixedWords = [
  'app/analysis/submissions.tsx',
  'app/analysis/transcript-columns.tsx',
  'app/attendance/student.tsx',
  'app/classes/tabs/students.tsx',
  'app/grading/report-list.tsx',
  'server/analysis/transcript-export.ts',
  'server/identity/rules.ts',
  'server/import/formats/class-of-sheet.ts',
  'server/import/formats/class-sheets.ts',
  'server/import/formats/people-mapping.ts',
  'server/import/formats/people-sheets.ts',
  'server/questions/import/paper/labels.ts',
];

describe('words of the interface', () => {
  it('call a student 学员, but for headers that the specification fixes', () => {
    const others = code.filter(({ text }) => /学生|昵称/.test(text)).map(({ file }) => file);
    expect(others.sort()).toEqual(fixedWords);
  });

  it('use every Chinese word of the glossary', () => {
    const [school = ''] = readFileSync('server/docs/glossary.md', 'utf8').split('# 2. ');
    const words = [...school.matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap(([, cell = '']) => cell.split(/[,、/] ?/))
      .filter((word) => /\p{Script=Han}/u.test(word) && word !== '中文');
    expect(words.length).toBeGreaterThan(200);
    const unused = words.filter((word) => {
      const parts = word.trim().split('…');
      return !code.some(({ text }) => parts.every((part) => text.includes(part)));
    });
    expect(unused).toEqual([]);
  });
});
