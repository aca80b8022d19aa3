import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readQuestions } from '#server/questions/import/formats.ts';
import type { ImportedQuestion } from '#server/questions/import/imported-question.ts';

/** Papers as teachers wrote them, beside the project; they are not part of it. */
const folder = resolve(import.meta.dirname, '../../../../shared/import/papers');
const near = resolve(import.meta.dirname, '../../../shared/import/papers');
const papers = [near, folder].find((path) => existsSync(join(path, 'expected.json')));
if (!papers) console.log('skips the papers of teachers: there is no ../shared/import/papers beside the project');

interface Expected {
  questions: number;
  types: Record<string, number>;
  answers: Record<string, string> | string | null;
  scores?: Record<string, number>;
  sub_questions?: Record<string, number>;
}

const letters = ({ draft }: ImportedQuestion) =>
  draft.ques_option.flatMap(({ is_right, id }) => (is_right === 1 ? [String.fromCharCode(64 + id)] : [])).join('');

describe.runIf(papers)('papers as teachers wrote them', () => {
  const all = JSON.parse(papers ? readFileSync(join(papers, 'expected.json'), 'utf8') : '{}') as Record<
    string,
    Expected
  >;

  test.each(Object.entries(all).filter(([name]) => name.endsWith('.docx')))(
    'reads all of %s',
    async (name, expected) => {
      const started = process.cpuUsage();
      const preview = await readQuestions([{ name, bytes: readFileSync(join(papers ?? '', name)) }], {
        savePicture: async () => '/files/1',
      });
      const used = process.cpuUsage(started);
      if ('refused' in preview) throw new Error(preview.refused);
      expect((used.user + used.system) / 1e6).toBeLessThan(10);
      expect(preview.format).toBe('docx-paper');
      const { questions } = preview;
      expect(questions).toHaveLength(expected.questions);
      const counts: Record<string, number> = {};
      for (const { draft } of questions) {
        const type = draft.ques_type === 5 || draft.ques_type === 6 ? '5 or 6' : String(draft.ques_type);
        counts[type] = (counts[type] ?? 0) + 1;
      }
      expect(counts).toEqual(expected.types);
      if (typeof expected.answers === 'object') {
        for (const [type, answers] of Object.entries(expected.answers ?? {})) {
          const ofType = questions.filter(({ draft }) => String(draft.ques_type) === type);
          expect(ofType.map(letters).join('')).toBe(answers);
        }
      }
      if (expected.answers === null) {
        const missing = questions.filter(({ errors }) => errors.some(({ message }) => message === '缺少答案'));
        expect(missing).toHaveLength(questions.length);
      }
      for (const [type, score] of Object.entries(expected.scores ?? {})) {
        const ofType = questions.filter(({ draft }) => String(draft.ques_type) === type);
        expect(new Set(ofType.map((question) => question.score))).toEqual(new Set([score]));
      }
      for (const [number, parts] of Object.entries(expected.sub_questions ?? {})) {
        expect(questions.find((question) => question.number === number)?.draft.ques_item).toHaveLength(parts);
      }
    },
  );
});
