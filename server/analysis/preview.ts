/** The questions of a homework, on the screen and on paper (document 2, section 2.4). */
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { makeFile } from '#server/export/export-file.ts';
import type { Storage } from '#server/files/storage.ts';
import { byScore, pointsOf, type ScoreMode } from '#server/homework/scoring.ts';
import type { Log } from '#server/http/log.ts';
import { isRefusal, Refusal } from '#server/http/outcome.ts';
import { pictureSources } from '#server/pdf/html.ts';
import { type Paper, type PaperQuestion, type PaperSection, renderPaper } from '#server/pdf/paper.ts';
import { blanksOf, type QuestionOption, type QuestionType, questionTypeNames } from '#server/questions/draft.ts';
import {
  type AnsweredQuestion,
  answeredQuestions,
  type NumberedQuestion,
  optionLabel,
  previewQuestion,
  type QuestionRow,
  questionsOf,
  totalsOf,
} from './questions.ts';
import { scopeOf } from './scope.ts';

export async function homeworkPreview(db: Database, actor: Actor, homeworkId: number) {
  const scope = await scopeOf(db, actor, { homeworkId });
  if (isRefusal(scope)) return scope;
  const { homework, mode } = scope;
  const questions = await questionsOf(db, homeworkId);
  const { all } = totalsOf(answeredQuestions(questions));
  return {
    id: homework.id,
    name: homework.name,
    status: homework.status as 1 | 2,
    is_set_score: mode,
    score: pointsOf(mode, all.score),
    question_num: all.count,
    question: questions.map((question) => previewQuestion(question, mode)),
  };
}

/** The paper as PDF, without answers. Refused (503) while too many are being set. */
export async function homeworkPdf(
  { db, storage, log, actor, now }: { db: Database; storage: Storage; log: Log; actor: Actor; now: number },
  homeworkId: number,
): Promise<{ url: string } | Refusal> {
  const scope = await scopeOf(db, actor, { homeworkId });
  if (isRefusal(scope)) return scope;
  const paper = paperOf(scope.homework.name, scope.mode, await questionsOf(db, homeworkId));
  const rendered = await renderPaper({ ...paper, pictures: await picturesOf(paper, storage) });
  if ('failed' in rendered) return new Refusal('away', '下载的人较多，请稍后再试', { retryAfter: 10 });
  return makeFile(
    { db, storage, log },
    {
      staffId: actor.id,
      now,
      name: `${scope.homework.name}.pdf`,
      contentType: 'application/pdf',
      extension: 'pdf',
      total: 1,
      write: () => new Blob([rendered.ok]).stream(),
    },
  );
}

/** The questions in their order; a section for each run of one type, as they are printed. */
export function paperOf(name: string, mode: ScoreMode, questions: readonly NumberedQuestion[]): Paper {
  const { all } = totalsOf(answeredQuestions(questions));
  const sections: PaperSection[] = [];
  for (const question of questions) {
    const type = questionTypeNames[question.row.ques_type as QuestionType];
    let section = sections.at(-1);
    if (section?.name !== type) {
      section = { name: type, questions: [] };
      sections.push(section);
    }
    section.questions.push(paperQuestion(question, mode));
  }
  return {
    title: name,
    facts: [
      { label: '题目数量', value: `${all.count} 题` },
      ...(mode === byScore ? [{ label: '总分', value: `${pointsOf(mode, all.score)} 分` }] : []),
    ],
    sections,
    variant: 'paper',
  };
}

function paperQuestion({ number, row, parts }: NumberedQuestion, mode: ScoreMode): PaperQuestion {
  if (row.ques_type !== 6) return printed(row, number, parts[0]?.options ?? [], mode);
  return { ...printed(row, number, [], mode), questions: parts.map((part) => printedPart(part, mode)) };
}

const printedPart = (part: AnsweredQuestion, mode: ScoreMode): PaperQuestion =>
  printed(part.row, part.number, part.options, mode);

/** Millimetres of room for an answer in words. */
const roomToWrite = 60;

function printed(row: QuestionRow, number: string, options: QuestionOption[], mode: ScoreMode): PaperQuestion {
  const type = row.ques_type as QuestionType;
  return {
    number,
    ...(mode === byScore ? { score: pointsOf(mode, row.score) } : {}),
    stem: row.ques_stem,
    ...(options.length > 0
      ? { options: options.map((option) => ({ label: optionLabel(type, option), content: option.content })) }
      : {}),
    ...(type === 7 ? { blanks: blanksOf(row.right_answer).length } : {}),
    ...(type === 5 ? { space: roomToWrite } : {}),
  };
}

/** Bytes of one picture at most; larger ones are shown as missing. */
const pictureLimit = 10 * 1024 * 1024;
const ownFile = /^\/files\/([^?]+)/;

/** The pictures of our own storage that the questions show. */
async function picturesOf(paper: Paper, storage: Storage): Promise<Record<string, Uint8Array>> {
  const texts = paper.sections
    .flatMap(({ questions }) => questions.flatMap((question) => [question, ...(question.questions ?? [])]))
    .flatMap(({ stem, options = [] }) => [stem, ...options.map(({ content }) => content)]);
  const pictures: Record<string, Uint8Array> = {};
  for (const source of new Set(texts.flatMap(pictureSources))) {
    const key = ownFile.exec(source)?.[1];
    const bytes = key ? await storage.readWhole(key, pictureLimit) : null;
    if (bytes) pictures[source] = bytes;
  }
  return pictures;
}
