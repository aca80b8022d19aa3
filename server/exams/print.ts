/** Renders an exam's paper as PDF. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FileServices } from '#server/platform/export/export-file.ts';
import { pdfFile } from '#server/platform/pdf/pdf-file.ts';
import { storedPictures } from '#server/platform/pdf/pictures.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { type Paper, type PaperQuestion, paperTexts, renderPaper } from '#server/questions/paper/paper.ts';
import { blanksOf } from '#server/questions/rules.ts';
import type { Exam } from '#server/schema/database.ts';
import { matchingLine, matchingRoom } from './matching-lines.ts';
import { answerSource, introductionToHtml } from './preview.ts';
import { examSections, type NumberedExamQuestion, type NumberedExamSection } from './questions.ts';
import {
  type ExamOption,
  examPoints,
  examTypeName,
  formatTimeLimit,
  isMatching,
  matchingPairs,
  optionLabel,
  type PaperVariant,
  toExamType,
} from './rules.ts';
import { findVisibleExam } from './visible.ts';

const fileNames: Record<PaperVariant, string> = {
  paper: '',
  'with-answers': '（含答案）',
  'answer-sheet': '（答题卡）',
};

/** Returns the address of the PDF, which may not be finished yet. 404: not visible. 503: too many PDFs are waiting. */
export async function examPdf(
  services: FileServices,
  { actor, now }: { actor: Actor; now: number },
  { examId, variant }: { examId: number; variant: PaperVariant },
): Promise<{ path: string } | Refusal> {
  const exam = await findVisibleExam(services.db, actor, examId);
  if (isRefusal(exam)) return exam;
  const paper = paperOfExam(exam, await examSections(services.db, exam.id), variant);
  const pictures = await storedPictures(services.storage, paperTexts(paper));
  const name = exam.name + fileNames[variant];
  const file = await pdfFile(services, { staffId: actor.id, now }, name, renderPaper({ ...paper, pictures }));
  return isRefusal(file) ? file : { path: file.url };
}

export function paperOfExam(exam: Exam, sections: readonly NumberedExamSection[], variant: PaperVariant): Paper {
  return {
    title: exam.name,
    facts: [
      { label: '考试时长', value: formatTimeLimit(exam.limit_time) },
      { label: '总分', value: `${formatScore(examPoints(exam.score))} 分` },
      { label: '及格分', value: `${formatScore(examPoints(exam.pass_score))} 分` },
      { label: '题数', value: `${exam.ques_num} 题` },
    ],
    introduce: introductionToHtml(exam.introduce),
    sections: sections.map(({ name, introduce, questions }) => ({
      name,
      introduce: introductionToHtml(introduce),
      questions: questions.map(toPaperQuestion),
    })),
    variant,
  };
}

/** Space for a written answer, in millimetres. */
const roomToWrite = 60;

function toPaperQuestion(question: NumberedExamQuestion): PaperQuestion {
  const { number, ques_type, options, right_answer, ques_analysis, parts } = question;
  const matching = isMatching(options);
  return {
    number,
    type: examTypeName(toExamType(ques_type), matching),
    score: examPoints(question.score),
    stem: question.ques_stem,
    ...(matching ? { matching: columnsOf(options, right_answer) } : {}),
    ...(!matching && options.length > 0
      ? { options: ques_type === 2 ? judgementOptions(options) : labelled(options, options) }
      : {}),
    ...(ques_type === 7 ? { blanks: blanksOf(right_answer).length } : {}),
    ...(ques_type === 5 ? { space: roomToWrite } : {}),
    answer: answerSource(question),
    analysis: ques_analysis,
    ...(parts.length > 0 ? { questions: parts.map(toPaperQuestion) } : {}),
  };
}

/** The two options of a true/false question have no letters, on paper as on screens. */
const judgementOptions = (options: readonly ExamOption[]) => options.map(({ content }) => ({ label: '', content }));

const labelled = (some: readonly ExamOption[], all: readonly ExamOption[]) =>
  some.map(({ id, content }) => ({ label: optionLabel(all, id), content }));

function columnsOf(options: readonly ExamOption[], rightAnswer: string) {
  const left = options.filter(({ side }) => side === 'left');
  const right = options.filter(({ side }) => side === 'right');
  const rowOf = (column: readonly ExamOption[], id: number) => column.findIndex((option) => option.id === id);
  const lines = matchingPairs(rightAnswer).flatMap((pair) => {
    const [from, to] = [rowOf(left, pair.left), rowOf(right, pair.right)];
    return from < 0 || to < 0 ? [] : matchingLine(from, to);
  });
  return { left: labelled(left, options), right: labelled(right, options), lines, room: matchingRoom };
}
