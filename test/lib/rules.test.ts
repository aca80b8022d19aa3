/** Rules live in rules.ts, and teaching relations in staff-duties.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const server = path.resolve(import.meta.dirname, '../../server');

/** Subjects only; platform knows none, and the demo fills tables. */
const subjects = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(?!platform|demo|docs)[\w-]+\/.*\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(server, file), 'utf8') }));

/** File and line of each match. */
const places = (sought: RegExp, allowed: (file: string) => boolean) =>
  subjects
    .filter(({ file }) => !allowed(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(sought)].map(
        ({ 0: found, index }) => `${file}:${text.slice(0, index).split('\n').length} ${found.split('\n')[0]?.trim()}`,
      ),
    );

it('teaching, assisting and head relations are queried in reach.ts alone', () => {
  const asked = /\b(?:where(?:Ref)?|eb|on)\(\s*'(?:(?:\w+\.)?(?:duty|lecturer_id)|class_staff\.staff_id)'/g;
  expect(places(asked, (file) => file === 'school/staff-duties.ts')).toEqual([]);
  expect(places(asked, () => false)).not.toEqual([]);
});

const words = String.raw`['"\`][^'"\`\n]*[\u4e00-\u9fff]`;

it('refusals use sentences of rules.ts, so screens can show them', () => {
  const sentences = [
    String.raw`\b(?:conflict|forbidden|missing|invalid)\([^;]*?${words}`,
    String.raw`\bnew Refusal\('[\w-]+',\s*${words}`,
    String.raw`\bv\.(?:string|number|picklist|check|integer|nonEmpty|regex|(?:min|max)(?:Length|Value))\([^\n]*?${words}`,
    // Remarks about imported files.
    String.raw`\b(?:refused|lost): ${words}`,
    String.raw`\b(?:report|refuse)\([^;]*?${words}`,
    String.raw`\brefuseF(?:or|ield)\('\w+',\s*${words}`,
    String.raw`\berrors(?:\.\w+|\[[^\]]+\])\s*=\s*\[${words}`,
    String.raw`\bFault\([^)]*\)[^{]*\{[^}]*return ${words}`,
  ];
  const isRules = (file: string) => /\brules\.ts$/.test(file);
  expect(places(new RegExp(sentences.join('|'), 'g'), isRules)).toEqual([]);
});
