/** The questions of a homework, for preview and as a PDF. */

import { pointsMode, pointsOf, type ScoreMode } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { pdfFile } from '#server/platform/pdf/pdf-file.ts';
import { storedPictures } from '#server/platform/pdf/pictures.ts';
import { formatScore, optionLetter } from '#server/platform/text/rules.ts';
import {
  type Paper,
  type PaperQuestion,
  type PaperSection,
  paperTexts,
  renderPaper,
} from '#server/questions/paper/paper.ts';
import { blanksOf, type QuestionOption, type QuestionType, questionTypeNames } from '#server/questions/rules.ts';
import {
  type AnsweredQuestion,
  answeredQuestions,
  type NumberedQuestion,
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
    status: homework.status,
    is_set_score: mode,
    score: pointsOf(mode, all.score),
    question_num: all.count,
    question: questions.map((question) => previewQuestion(question, mode)),
  };
}

/** Renders the questions as a PDF without answers. 503: too many PDFs are being rendered. */
export async function homeworkPdf(
  { db, storage, log, actor, now }: { db: Database; storage: Storage; log: Log; actor: Actor; now: number },
  homeworkId: number,
): Promise<{ url: string } | Refusal> {
  const scope = await scopeOf(db, actor, { homeworkId });
  if (isRefusal(scope)) return scope;
  const paper = paperOf(scope.homework.name, scope.mode, await questionsOf(db, homeworkId));
  const pictures = await storedPictures(storage, paperTexts(paper));
  return pdfFile(
    { db, storage, log },
    { staffId: actor.id, now },
    scope.homework.name,
    renderPaper({ ...paper, pictures }),
  );
}

/** Groups questions into sections of consecutive questions of one type. */
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
      ...(mode === pointsMode ? [{ label: '总分', value: `${formatScore(pointsOf(mode, all.score))} 分` }] : []),
    ],
    sections,
    variant: 'paper',
  };
}

function paperQuestion({ number, row, parts }: NumberedQuestion, mode: ScoreMode): PaperQuestion {
  if (row.ques_type !== 6) return toPaperQuestion(row, number, parts[0]?.options ?? [], mode);
  return { ...toPaperQuestion(row, number, [], mode), questions: parts.map((part) => printedPart(part, mode)) };
}

const printedPart = (part: AnsweredQuestion, mode: ScoreMode): PaperQuestion =>
  toPaperQuestion(part.row, part.number, part.options, mode);

/** Space for a written answer in millimetres. */
const roomToWrite = 60;

function toPaperQuestion(row: QuestionRow, number: string, options: QuestionOption[], mode: ScoreMode): PaperQuestion {
  const type = row.ques_type as QuestionType;
  return {
    number,
    ...(mode === pointsMode ? { score: pointsOf(mode, row.score) } : {}),
    stem: row.ques_stem,
    ...(options.length > 0
      ? { options: options.map((option) => ({ label: optionLetter(option.id - 1), content: option.content })) }
      : {}),
    ...(type === 7 ? { blanks: blanksOf(row.right_answer).length } : {}),
    ...(type === 5 ? { space: roomToWrite } : {}),
  };
}
