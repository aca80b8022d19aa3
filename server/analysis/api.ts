import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import { handle, type SchoolCall } from '#server/school/context.ts';
import {
  absentStudents,
  arrangedHomeworkHeader,
  arrangedSubmissions,
  classHomeworkHeader,
  classSubmissions,
  homeworkHeader,
  homeworkSubmissions,
  reminderPlan,
  sendReminders,
} from './contract.ts';
import { distributionStudentRows, distributionSummary } from './distribution.ts';
import { headerOf } from './header.ts';
import { lessonHeader } from './lesson-header.ts';
import { homeworkPdf, homeworkPreview } from './preview.ts';
import { progressOf } from './progress.ts';
import {
  type AnswerGroup,
  type AnswerStudentsExtra,
  answerStudents,
  classAnswerDetail,
  classAnswerStudents,
  downloadHomework,
  exportAnswerStudents,
  previewHomework,
  questionAnalysis,
  questionAnswerCounts,
  questionStatistics,
  questionTypeStatistics,
  questionUses,
} from './question.contract.ts';
import {
  answerDetailRows,
  answerStudentRows,
  questionAnalysisRows,
  questionStatisticsRows,
  typeStatisticsRows,
} from './question-analysis.ts';
import { questionUsesOf } from './question-uses.ts';
import { planReminders, sendRemindersTo } from './reminders.ts';
import { studentInfo, studentTypes } from './student.ts';
import { exportAnswers, exportBand } from './students-export.ts';
import { absentStudentRows, submissionPage } from './submissions.ts';
import {
  distributionStudents,
  exportDistributionStudents,
  exportTranscripts,
  gradeDistribution,
  studentHomework,
  studentProgress,
  transcriptSummary,
  transcripts,
} from './transcript.contract.ts';
import { transcriptPage, transcriptTotals } from './transcript.ts';
import { exportTranscript } from './transcript-export.ts';

/** Takes the homework and the class from the path. */
const scopeIn = ({ hwId, classId }: { hwId: number; classId?: number | undefined }) => ({
  homeworkId: hwId,
  classId,
});
/** Takes the homework from the path (lecturers) or from the query (assistants). */
const statisticsScope = (
  params: { hwId: number | undefined },
  query: { hw_id: number; class_id?: number | undefined },
) => ({
  homeworkId: params.hwId ?? query.hw_id,
  classId: query.class_id,
});

const questionIn = (query: { hw_id: number; class_id?: number | undefined; ques_id: number }) => ({
  homeworkId: query.hw_id,
  classId: query.class_id,
  questionId: query.ques_id,
});

const answerGroups = Object.keys(answerStudents) as AnswerGroup[];

export const analysisCalls: SchoolCall[] = [
  handle(questionUses, ({ db, actor, params }) => questionUsesOf(db, actor, params.id)),
  handle(homeworkSubmissions, ({ db, actor, params, query }) => submissionPage(db, actor, scopeIn(params), query)),
  handle(classSubmissions, ({ db, actor, params, query: { source, ...query } }) =>
    submissionPage(db, actor, scopeIn(params), query),
  ),
  handle(arrangedSubmissions, ({ db, actor, params, query }) => submissionPage(db, actor, scopeIn(params), query)),
  handle(absentStudents, ({ db, actor, params, now }) => absentStudentRows(db, actor, params.classId, now)),

  handle(reminderPlan, ({ params, query, ...context }) => planReminders(context, scopeIn(params), query.student_id)),
  handle(sendReminders, ({ params, body, ...context }) => sendRemindersTo(context, scopeIn(params), body.student_ids)),

  handle(homeworkHeader, ({ db, actor, params, query }) =>
    query.report_id
      ? studentInfo(db, actor, { homeworkId: params.hwId, reportId: query.report_id })
      : headerOf(db, actor, { homeworkId: params.hwId, classId: query.class_id }),
  ),
  handle(classHomeworkHeader, ({ db, actor, params }) => headerOf(db, actor, scopeIn(params))),
  handle(arrangedHomeworkHeader, ({ db, actor, params, settings }) =>
    lessonHeader(db, actor, params.hwId, settings.timezone),
  ),

  handle(questionAnalysis, ({ db, actor, params, query }) => questionAnalysisRows(db, actor, scopeIn(params), query)),
  // Literal paths come first: otherwise their word would be parsed as a homework id.
  handle(transcriptSummary, ({ db, actor, params }) => transcriptTotals(db, actor, scopeIn(params))),
  handle(transcripts, ({ db, actor, params, query }) => transcriptPage(db, actor, scopeIn(params), query)),
  handle(exportTranscripts, ({ db, storage, log, actor, now, settings: { timezone }, params, query }) =>
    exportTranscript({ db, storage, log, actor, now, timezone }, scopeIn(params), query),
  ),
  handle(distributionStudents, ({ db, actor, params, query }) =>
    distributionStudentRows(db, actor, scopeIn(params), query),
  ),
  handle(gradeDistribution, ({ db, actor, params }) => distributionSummary(db, actor, scopeIn(params))),

  handle(questionTypeStatistics, ({ db, actor, params, query }) =>
    typeStatisticsRows(db, actor, statisticsScope(params, query)),
  ),
  handle(questionStatistics, ({ db, actor, params, query }) =>
    questionStatisticsRows(db, actor, statisticsScope(params, query)),
  ),
  handle(studentProgress, ({ params, ...context }) => progressOf(context, params.reportId)),
  handle(studentHomework, ({ params, ...context }) => studentTypes(context, params.reportId)),

  handle(previewHomework, ({ db, actor, params }) => homeworkPreview(db, actor, params.hwId)),
  handle(downloadHomework, ({ params, ...context }) => homeworkPdf(context, params.hwId)),
  ...[questionAnswerCounts, classAnswerDetail].map((call) =>
    handle(call, ({ db, actor, params }) => answerDetailRows(db, actor, scopeIn(params))),
  ),
  ...[answerStudents, classAnswerStudents].flatMap((calls) =>
    answerGroups.map((group) =>
      handle(calls[group], async ({ db, actor, query }) => {
        const found = await answerStudentRows(db, actor, questionIn(query), group);
        if (isRefusal(found)) return found;
        return new AnswerWithMessage(found.students, { extra: { number: found.number } satisfies AnswerStudentsExtra });
      }),
    ),
  ),
  handle(exportAnswerStudents, ({ query, settings: { timezone }, ...context }) =>
    exportAnswers({ ...context, timezone }, questionIn(query), query.group),
  ),
  handle(exportDistributionStudents, ({ params, query, settings: { timezone }, ...context }) =>
    exportBand({ ...context, timezone }, scopeIn(params), query),
  ),
];
