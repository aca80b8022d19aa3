/** What the learners' own application sends in: `POST /api/app/homework/{hwId}/submission`, by a service token. */
import * as v from 'valibot';
import { missingStudent } from '#server/classes/rules.ts';
import { type AnswerOf, call } from '#server/platform/calls/call.ts';
import { bodyId, Id, maxId, Seconds, withoutControls } from '#server/platform/calls/fields.ts';
import { invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { inTransaction } from '#server/platform/calls/transaction.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { uploadFile } from '#server/platform/files/contract.ts';
import { keepPicture } from '#server/platform/files/keep.ts';
import { filesNotKept } from '#server/platform/files/kept.ts';
import { missingPicture, pictureBytes } from '#server/platform/files/rules.ts';
import { handleApplication } from '#server/school/application.ts';
import { imagesKept } from './answer-content.ts';
import { answerLimit, homeworkMessages, missingHomework, pointsOf, reportStatus } from './rules.ts';
import { subjectiveAnswer } from './scoring.ts';
import { submitReport } from './submission.ts';

/** Bytes of one submission: its images are uploaded before. */
const submissionBytes = 2 * 1024 * 1024;
/** No homework has it. */
const nowhere = 0;

const OwnImage = v.pipe(v.string(), v.regex(/^\/files\/(?!.*\.\.)[\w\-./%?=&]+$/, homeworkMessages.imageAddress));

const AnswerText = v.pipe(v.string(), withoutControls, v.maxLength(answerLimit, homeworkMessages.answerLength));

const Subjective = v.pipe(
  v.object({
    content: v.optional(AnswerText, ''),
    images: v.optional(v.array(OwnImage), []),
  }),
  v.transform(({ content, images }) => JSON.stringify({ content, images: images.slice(0, imagesKept) })),
);

/** Option ids or blanks as text, option ids as numbers, or a subjective answer with its images. */
const UserAnswer = v.union([
  AnswerText,
  v.pipe(v.number(), v.transform(String)),
  v.pipe(
    v.array(v.number()),
    v.transform((ids) => ids.join(',')),
  ),
  Subjective,
]);

/** The pictures of a subjective answer. */
const picturesOf = (answer: string): string[] =>
  answer.startsWith('{') ? subjectiveAnswer(answer).images.filter((image) => typeof image === 'string') : [];

const Submission = v.object({
  /** The student. */
  uid: bodyId(missingStudent),
  /** Seconds. */
  answer_time: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_000_000_000)), 0),
  answers: v.array(v.object({ ques_id: v.pipe(v.number(), v.integer(), v.maxValue(maxId)), user_answer: UserAnswer })),
});
type Submission = v.InferOutput<typeof Submission>;

const handInHomework = call({
  method: 'POST',
  path: '/api/app/homework/:hwId/submission',
  title: '学员提交作业',
  params: { hwId: v.fallback(Id, nowhere) },
  bodyLimit: submissionBytes,
  body: Submission,
  answer: v.object({
    report_id: v.number(),
    /** 2 a subjective answer waits for review, 3 graded. */
    status: v.number(),
    submit_time: Seconds,
    /** Points of the objective questions. */
    objective_score: v.number(),
  }),
  message: '提交成功',
});

/** Takes in an image of an answer; answers its address, to be named in the submission. */
const uploadPicture = call({
  method: 'POST',
  path: '/api/app/public/file',
  title: '学员上传图片',
  upload: { field: 'file', fileBytes: pictureBytes },
  answer: uploadFile.answer,
  message: '上传成功',
});

export const learnerHomeworkCalls = [
  handleApplication(uploadPicture, ({ storage, files }) => keepPicture(storage, files[0])),
  handleApplication(handInHomework, {
    prepare: async ({ db, storage, now, params, body }) => {
      const pictures = body.answers.flatMap(({ user_answer }) => picturesOf(user_answer));
      const lost = await filesNotKept(storage, pictures);
      if (lost.length > 0) return invalid({ answers: [missingPicture] });
      return handIn(db, params.hwId, body, now);
    },
  }),
];

/** One report per student. The same submission again, as after a lost answer, is answered as the first was. */
async function handIn(
  db: Database,
  homeworkId: number,
  { uid, answer_time, answers }: Submission,
  now: number,
): Promise<AnswerOf<typeof handInHomework> | Refusal> {
  const report = await db
    .selectFrom('report')
    .select('id')
    .where('homework_id', '=', homeworkId)
    .where('student_id', '=', uid)
    .executeTakeFirst();
  if (!report) return missing(missingHomework);
  const given = answers.map(({ ques_id, user_answer }) => ({ questionId: ques_id, userAnswer: user_answer }));
  const refusal = await inTransaction(db, async (trx) => {
    const outcome = await submitReport(trx, {
      reportId: report.id,
      answers: given,
      answerTime: answer_time,
      submitTime: now,
    });
    return isRefusal(outcome) ? outcome : undefined;
  });
  if (isRefusal(refusal) && !(await wasHandedIn(db, report.id, given))) return refusal;
  const stored = await db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select(['report.status', 'report.submit_time', 'report.objective_score', 'homework.is_set_score'])
    .where('report.id', '=', report.id)
    .executeTakeFirstOrThrow();
  return {
    report_id: report.id,
    status: stored.status,
    submit_time: stored.submit_time ?? 0,
    objective_score: pointsOf(stored.is_set_score, stored.objective_score),
  };
}

/** Whether exactly these answers are what the report was handed in with. */
async function wasHandedIn(
  db: Database,
  reportId: number,
  given: readonly { questionId: number; userAnswer: string }[],
): Promise<boolean> {
  const report = await db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select('report.id')
    .where('report.id', '=', reportId)
    .where('report.status', '<>', reportStatus.notSubmitted)
    .where('homework.status', '=', 1)
    .executeTakeFirst();
  if (!report) return false;
  const stored = await db
    .selectFrom('answer')
    .select(['question_id', 'user_answer'])
    .where('report_id', '=', reportId)
    .execute();
  const sent = new Map(given.map(({ questionId, userAnswer }) => [questionId, userAnswer]));
  const known = new Set(stored.map(({ question_id }) => question_id));
  return (
    given.every(({ questionId }) => known.has(questionId)) &&
    stored.every(({ question_id, user_answer }) => (sent.get(question_id) ?? '') === user_answer)
  );
}
