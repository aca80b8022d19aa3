/** Calls of learners about homework: uploading a picture, saving a draft, submitting. */

import * as v from 'valibot';
import { answerMessages, blankSentence, pointsOf, reportStatus, unansweredSentence } from '#server/grading/rules.ts';
import { isUnanswered } from '#server/grading/scoring.ts';
import {
  AnswerOrNull,
  AnswerTime,
  answersBytes,
  ConfirmBlank,
  QuestionId,
  refuseLostPictures,
} from '#server/grading/submitted-answer.ts';
import { BodyUid, handleApplication, withLearner } from '#server/learners/application.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import { type AnswerOf, call } from '#server/platform/calls/call.ts';
import { Id, Seconds } from '#server/platform/calls/fields.ts';
import { conflict, invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupCommit } from '#server/platform/db/group-commit.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { uploadFile } from '#server/platform/files/contract.ts';
import { pictureBytes } from '#server/platform/files/rules.ts';
import { storePicture } from '#server/platform/files/store-file.ts';
import { count } from '#server/platform/monitoring/metrics.ts';
import { deleteDrafts, lockReportsWithDrafts, storeDraft } from './answer-draft.ts';
import { numberQuestions } from './numbering.ts';
import { inYearOfReport } from './report-years.ts';
import { homeworkMessages, missingHomework, submitFault } from './rules.ts';
import { type Submission as ReportSubmission, type SubmittedReport, submitReports } from './submission.ts';

/** Id that no homework has, used in place of an invalid one. */
const noHomeworkId = 0;
const HomeworkId = { hwId: v.fallback(Id, noHomeworkId) };

const Submission = v.object({
  /** Id of the student. */
  uid: BodyUid,
  answer_time: AnswerTime,
  answers: v.array(v.object({ ques_id: QuestionId, user_answer: AnswerOrNull })),
});

/** Version of the draft on the learner's device; 0 if it has none. */
const DraftVersion = v.pipe(
  v.number(homeworkMessages.version),
  v.integer(homeworkMessages.version),
  v.minValue(0, homeworkMessages.version),
);

const HandIn = v.object({
  ...Submission.entries,
  version: v.optional(DraftVersion),
  confirm_blank: ConfirmBlank,
});
type HandIn = v.InferOutput<typeof HandIn> & { uid: number };

const handInHomework = call({
  method: 'POST',
  path: '/api/app/homework/:hwId/submission',
  title: '学员提交作业',
  description:
    '没有带上的题目按草稿的答案提交，user_answer 为 null 的题目按未作答提交。带 version（草稿的版本）时，其他设备此后保存过新的内容则返回409，data 为当前的草稿。有题目未作答时返回422并说明题号，确认后带 confirm_blank=1 再提交。同样的内容重复提交只算一次，应答与第一次相同。answer_time 不超过作业发布至今的时间。',
  params: HomeworkId,
  bodyLimit: answersBytes,
  body: HandIn,
  answer: v.object({
    report_id: v.number(),
    /** Status of the report. 2: a subjective answer waits for grading. 3: graded. */
    status: v.number(),
    submit_time: Seconds,
    /** Points of the objective questions; null until the report is graded. */
    objective_score: v.nullable(v.number()),
  }),
  message: '提交成功',
  example: {
    params: { hwId: 31 },
    body: {
      uid: 12,
      answer_time: 640,
      answers: [
        { ques_id: 201, user_answer: [2] },
        { ques_id: 202, user_answer: { content: '解：', images: ['/files/2026/11/k2Jd8sQmX0aWb4Tz.jpg'] } },
      ],
    },
    answer: { report_id: 977, status: 2, submit_time: 1795147200, objective_score: null },
  },
});

const saveDraft = call({
  method: 'POST',
  path: '/api/app/homework/:hwId/draft',
  title: '学员保存作业草稿',
  description:
    'version 为本设备上次取得的版本，没有草稿时为0。其他设备已保存新的内容时返回409，data 为当前的内容；同样的内容重复保存没有影响。',
  params: HomeworkId,
  bodyLimit: answersBytes,
  body: v.object({ ...Submission.entries, version: DraftVersion }),
  answer: v.object({ version: v.number(), saved_at: Seconds }),
  message: '已保存',
  example: {
    params: { hwId: 31 },
    body: { uid: 12, version: 0, answer_time: 120, answers: [{ ques_id: 201, user_answer: [2] }] },
    answer: { version: 1, saved_at: 1795147200 },
  },
});

/** Stores a picture of an answer and returns its address, which the submitted answer then names. */
const uploadPicture = call({
  method: 'POST',
  path: '/api/app/public/file',
  title: '学员上传图片',
  upload: { field: 'file', fileBytes: pictureBytes },
  answer: uploadFile.answer,
  message: '上传成功',
  description:
    'jpg、png、gif、webp或heic。按照片的方向信息转正，不保留拍摄信息；长边超过1600像素的缩小，长截图只缩小到短边900像素，最多1200万像素。heic转为jpg，最多5000万像素；同时转换的照片很多时返回503，请稍后再试。',
  example: { answer: { originalName: '照片.jpg', path: '/files/2026/11/k2Jd8sQmX0aWb4Tz.jpg' } },
});

export const learnerHomeworkCalls = [
  handleApplication(uploadPicture, ({ storage, files }) => storePicture(storage, files[0])),
  handleApplication(saveDraft, {
    prepare: ({ params, body, ...context }) =>
      withLearner(context, body.uid, async ({ storage, uid, now }) => {
        const refusal = await refuseLostPictures(storage, body.answers);
        if (refusal) return refusal;
        const { version, answers, answer_time: answerTime } = body;
        const draft = { homeworkId: params.hwId, studentId: uid, version, answers, answerTime, now };
        return new TransactionWork((db) => storeDraft(db, draft));
      }),
  }),
  handleApplication(handInHomework, {
    prepare: ({ params, body, ...context }) =>
      withLearner(context, body.uid, async ({ db, storage, uid, now }) => {
        const refusal = await refuseLostPictures(storage, body.answers);
        return refusal ?? submitHomework(db, params.hwId, { ...body, uid }, now);
      }),
  }),
];

/** Submits a report. A student can submit once. Idempotent: sending the same answers again returns the first result. */
async function submitHomework(
  db: Database,
  homeworkId: number,
  { uid, answer_time, answers, version, confirm_blank }: HandIn,
  now: number,
): Promise<AnswerOf<typeof handInHomework> | Refusal> {
  const report = await db
    .selectFrom('report')
    .select('id')
    .where('homework_id', '=', homeworkId)
    .where('student_id', '=', uid)
    .executeTakeFirst();
  if (!report) return missing(missingHomework);
  const sentAnswers = answers.map(({ ques_id, user_answer }) => ({ questionId: ques_id, userAnswer: user_answer }));
  const refusal = await submitInBatch(db, homeworkId, {
    reportId: report.id,
    answers: sentAnswers,
    answerTime: answer_time,
    submitTime: now,
    version,
    confirmBlank: confirm_blank === 1,
  });
  if (isRefusal(refusal) && !(await wasHandedIn(db, report.id, sentAnswers))) return refusal;
  const stored = await db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select(['report.status', 'report.submit_time', 'report.objective_score', 'homework.is_set_score'])
    .where('report.id', '=', report.id)
    .where('report.homework_id', '=', homeworkId)
    .executeTakeFirstOrThrow();
  return {
    report_id: report.id,
    status: stored.status,
    submit_time: stored.submit_time ?? 0,
    objective_score:
      stored.status === reportStatus.graded ? pointsOf(stored.is_set_score, stored.objective_score) : null,
  };
}

/** Maximum submissions of one homework in a transaction (group commit). */
const batchSize = 50;

interface LearnerSubmission extends ReportSubmission {
  /** Version of the draft that the device has read; undefined if the device sent none. */
  version: number | undefined;
  confirmBlank: boolean;
}

type LockedReport = Awaited<ReturnType<typeof lockReportsWithDrafts>> extends Map<number, infer One> ? One : never;

/**
 * Adds the answers of the saved draft that are not in the submission. Limits the answer time to the time since
 * publication.
 */
function withDraft(submission: LearnerSubmission, { draft, publish_time }: LockedReport): LearnerSubmission {
  const { answers, answerTime, submitTime } = submission;
  const sent = new Set(answers.map(({ questionId }) => questionId));
  const saved = (draft?.answers ?? []).filter(({ ques_id }) => !sent.has(ques_id));
  return {
    ...submission,
    answers: [
      ...answers,
      ...saved.map(({ ques_id, user_answer }) => ({ questionId: ques_id, userAnswer: user_answer })),
    ],
    answerTime: Math.min(answerTime || (draft?.answer_time ?? 0), Math.max(0, submitTime - publish_time)),
  };
}

/** Refuses with 409 and the saved draft if another device has saved other answers that this device has not read. */
function refuseUnread({ version, answers }: LearnerSubmission, { draft }: LockedReport): Refusal | undefined {
  if (version === undefined || !draft || draft.version <= version) return undefined;
  const saved = new Map(draft.answers.map(({ ques_id, user_answer }) => [ques_id, user_answer]));
  const isSame = answers.every(({ questionId, userAnswer }) => (saved.get(questionId) ?? '') === userAnswer);
  return isSame ? undefined : conflict(answerMessages.otherDevice, draft);
}

/** Refuses with 422 and the numbers of the unanswered questions. The learner may confirm and submit anyway. */
function refuseUnanswered(
  { answers }: LearnerSubmission,
  questions: readonly { id: number; number: string }[],
): Refusal | undefined {
  const answered = new Set(
    answers.flatMap(({ questionId, userAnswer }) => (isUnanswered(userAnswer) ? [] : [questionId])),
  );
  const open = questions.filter(({ id }) => !answered.has(id)).map(({ number }) => number);
  return open.length > 0
    ? invalid({ confirm_blank: [unansweredSentence(open)] }, blankSentence(open.length))
    : undefined;
}

const numberedQuestions = prepared((db, { homeworkId }: Placeholders<{ homeworkId: number }>) =>
  db
    .selectFrom('homework_question')
    .select(['id', 'parent_id', 'sort', 'ques_type'])
    .where('homework_id', '=', homeworkId),
);

/**
 * Group commit: concurrent submissions of one homework share a transaction, so that they do not wait one after the
 * other for its counters.
 */
const submitInBatch = groupCommit(
  batchSize,
  async (db: Database, submissions: readonly LearnerSubmission[], homeworkId) => {
    const outcomes = await db.transaction().execute(async (trx) => {
      const reports = await lockReportsWithDrafts(
        trx,
        submissions.map(({ reportId }) => reportId),
      );
      const outcomes = new Map<LearnerSubmission, SubmittedReport | Refusal>();
      const needsConfirmation = submissions.some(({ confirmBlank }) => !confirmBlank);
      const questions = needsConfirmation ? numberQuestions(await numberedQuestions(trx, { homeworkId })) : [];
      const accepted: { of: LearnerSubmission; whole: LearnerSubmission }[] = [];
      for (const submission of submissions) {
        const report = reports.get(submission.reportId);
        const complete = report ? withDraft(submission, report) : submission;
        // A submission that is no longer open is refused by `submitReports`, with the exact reason.
        const isOpen = report && submitFault(report.homework, report, submission.submitTime) === undefined;
        const unread = isOpen ? refuseUnread(submission, report) : undefined;
        const unanswered = isOpen && !submission.confirmBlank ? refuseUnanswered(complete, questions) : undefined;
        const refusal = unread ?? unanswered;
        if (refusal) outcomes.set(submission, refusal);
        else accepted.push({ of: submission, whole: complete });
      }
      const complete = accepted.map((one) => one.whole);
      const results = complete.length > 0 ? await submitReports(trx, homeworkId, complete) : [];
      accepted.forEach(({ of }, place) => void outcomes.set(of, results[place] as (typeof results)[number]));
      const handedIn = accepted.filter((_, place) => !isRefusal(results[place])).map(({ of }) => of.reportId);
      if (handedIn.length > 0) await deleteDrafts(trx, handedIn);
      return submissions.map((submission) => outcomes.get(submission) as SubmittedReport | Refusal);
    });
    count('handIns', { kind: 'homework' }, outcomes.filter((one) => !isRefusal(one)).length);
    return outcomes;
  },
);

/** True if the same answers were submitted before, so that a repeated request succeeds. */
async function wasHandedIn(
  db: Database,
  reportId: number,
  sentAnswers: readonly { questionId: number; userAnswer: string }[],
): Promise<boolean> {
  const report = await db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select('report.id')
    .where('report.id', '=', reportId)
    .where(inYearOfReport(reportId))
    .where('report.status', '<>', reportStatus.notSubmitted)
    .where('homework.status', '=', 1)
    .executeTakeFirst();
  if (!report) return false;
  const stored = await db
    .selectFrom('answer')
    .select(['question_id', 'user_answer'])
    .where('report_id', '=', reportId)
    .execute();
  const storedAnswers = new Map(stored.map(({ question_id, user_answer }) => [question_id, user_answer]));
  return sentAnswers.every(({ questionId, userAnswer }) => storedAnswers.get(questionId) === userAnswer);
}
