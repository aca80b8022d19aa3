import { Answered } from '#server/platform/calls/bind.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import { handle } from '#server/school/context.ts';
import { answerStudentPage } from './answer-students.ts';
import {
  type ExamListExtra,
  type ExamReportsExtra,
  examCategories,
  examInfo,
  examNames,
  examReports,
  listExams,
} from './contract.ts';
import { categoryTree, examPage, schoolsOfExams, schoolsOfReports } from './list.ts';
import { namesOfExams } from './names.ts';
import { downloadExam, examReport, previewExam } from './paper.contract.ts';
import { examPreview } from './preview.ts';
import { examPdf } from './print.ts';
import { examHeader, examReportPage, examStudentPage } from './reports.ts';
import { examSheet } from './sheet.ts';
import {
  examAnswerStudents,
  examQuestionStatistics,
  examSchools,
  examStatistics,
  examStudents,
  exportExamAnswerStudents,
  exportExamStudents,
} from './statistics.contract.ts';
import { questionStatisticsOfExam, statisticsOfExam } from './statistics.ts';
import { exportAnswers, exportStudents } from './students-export.ts';

export const examCalls = [
  handle(listExams, async ({ db, actor, query }) => {
    const [page, school_list] = await Promise.all([examPage(db, actor, query), schoolsOfExams(db, actor)]);
    return new Answered(page, { extra: { school_list } satisfies ExamListExtra });
  }),
  handle(examNames, ({ db, actor }) => namesOfExams(db, actor)),
  handle(examCategories, ({ db }) => categoryTree(db)),
  handle(examInfo, ({ db, actor, params }) => examHeader(db, actor, params.id)),
  handle(examReports, async ({ db, actor, params, query }) => {
    const found = await examReportPage(db, actor, params.id, query);
    if (isRefusal(found)) return found;
    const { user_school_list, ...page } = found;
    return new Answered(page, { extra: { user_school_list } satisfies ExamReportsExtra });
  }),
  handle(examStatistics, ({ db, actor, params }) => statisticsOfExam(db, actor, params.id)),
  handle(examStudents, ({ db, actor, body }) => examStudentPage(db, actor, body)),
  handle(exportExamStudents, ({ db, storage, log, actor, now, settings: { timezone }, body }) =>
    exportStudents({ db, storage, log, actor, now, timezone }, body),
  ),
  handle(examSchools, ({ db, actor }) => schoolsOfReports(db, actor)),
  handle(examQuestionStatistics, ({ db, actor, params }) => questionStatisticsOfExam(db, actor, params.id)),
  handle(examAnswerStudents, ({ db, actor, params, query: { group, ...paging } }) =>
    answerStudentPage(db, actor, { examId: params.id, questionId: params.questionId, group }, paging),
  ),
  handle(exportExamAnswerStudents, ({ params, query: { group }, settings: { timezone }, ...context }) =>
    exportAnswers({ ...context, timezone }, { examId: params.id, questionId: params.questionId, group }),
  ),
  handle(previewExam, ({ db, actor, params }) => examPreview(db, actor, params.id)),
  handle(downloadExam, ({ db, storage, log, actor, now, params, body }) =>
    examPdf({ db, storage, log }, { actor, now }, { examId: params.id, variant: body.variant }),
  ),
  handle(examReport, ({ db, actor, params }) => examSheet(db, actor, params.reportId)),
];
