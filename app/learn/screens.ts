/** Addresses of the learners' pages. The pages use only the public calls. */
import * as v from 'valibot';
import { missingProvider, providerKinds } from '#server/identity/rules.ts';
import { SearchSeconds, SearchText } from '#server/platform/calls/fields.ts';
import { FileQuery } from '#server/platform/files/contract.ts';
import { screen } from '../lib/screen.ts';
import { CheckedParam, oneOf, ReturnAddress, ScreenId } from '../lib/search.ts';

export const learnHome = screen('LearnerHome', '/learn', 'home');
export const signInWays = ['code', 'password'] as const;
export type SignInWay = (typeof signInWays)[number];
/**
 * Sign-in page for learners. `by` is `password` if the learner chose that although the school sends text messages.
 * `number` comes from the QR code of a printed slip and fills in the field.
 */
export const learnSignIn = screen(
  'LearnerSignIn',
  '/learn/sign-in',
  'sign-in',
  { redirectTo: ReturnAddress, by: oneOf(signInWays, 'code'), number: SearchText },
  { largeForm: true },
);
const provider = { provider: v.picklist(providerKinds) };
/** Redirects to an identity provider. `moved`: the browser was just redirected here from another host name. */
export const learnSignInBegin = screen(
  'LearnerIdentityBegin',
  '/learn/sign-in/to/:provider',
  'identity-begin',
  { ...provider, redirectTo: ReturnAddress, moved: CheckedParam },
  { missing: missingProvider },
);
/** Address to which the return from an identity provider leads on. */
export const learnSignInReturn = screen(
  'LearnerIdentityReturn',
  '/learn/sign-in/from/:provider',
  'identity-return',
  provider,
  { missing: missingProvider },
);
export const learnPassword = screen(
  'LearnerPassword',
  '/learn/password',
  'password',
  { redirectTo: ReturnAddress },
  { largeForm: true },
);
export const learnSignOut = screen('learn/sign-out', '/learn/sign-out', 'sign-out');

export const homeworkTabs = ['open', 'done'] as const;
export const learnHomeworkList = screen('LearnerHomeworkList', '/learn/homework', 'homework-list', {
  state: oneOf(homeworkTabs, 'open'),
});
/** With `ask` 1 the draft is saved, and the page asks whether to hand in although questions are unanswered. */
export const learnHomework = screen(
  'LearnerHomework',
  '/learn/homework/:id',
  'homework',
  { ask: oneOf([0, 1], 0) },
  { files: true },
);

/** Address to which the autosave script posts. It shows no page. */
export const learnHomeworkSave = screen(
  'learn/homework-save',
  '/learn/homework/:id/save',
  'homework-save.ts',
  {},
  { files: true },
);

/** Address to which the script of a form posts a photograph. It shows no page. */
export const learnPicture = screen('learn/picture', '/learn/picture', 'picture.ts', {}, { files: true });

export const learnExams = screen('LearnerExams', '/learn/exams', 'exams');
export const learnExam = screen('LearnerExam', '/learn/exams/:id', 'exam');
/** One question of a running exam. `at` is its position on the paper, from 1. */
const takenPlace = { at: v.fallback(v.optional(ScreenId, '1'), 1) };
export const learnExamTaking = screen('LearnerExamTaking', '/learn/exams/:id/take', 'exam-taking', takenPlace, {
  files: true,
});
export const learnExamSave = screen('learn/exam-save', '/learn/exams/:id/save', 'exam-save.ts', takenPlace, {
  files: true,
});
/** Address from which the countdown asks for the seconds left in an exam. */
export const learnExamTime = screen('learn/exam-time', '/learn/exams/:id/time', 'exam-time.ts');
export const learnExamHandIn = screen('LearnerExamHandIn', '/learn/exams/:id/hand-in', 'exam-hand-in');

export const learnLessons = screen('LearnerLessons', '/learn/lessons', 'lessons', { from: SearchSeconds });
export const learnLeave = screen('LearnerLeave', '/learn/leave', 'leave');
export const learnLeaveRequest = screen('LearnerLeaveRequest', '/learn/leave/ask', 'leave-request', {
  class_id: ScreenId,
  course_id: ScreenId,
  period_id: ScreenId,
  /** Start of the lesson, in unix seconds. */
  from: SearchSeconds,
});
export const learnNotices = screen('LearnerNotices', '/learn/notices', 'notices');
export const learnNotice = screen('LearnerNotice', '/learn/notices/:id', 'notice');
/** Files to which texts refer as `/files/…`. */
export const learnFile = screen('learn/file', '/learn/files/:year/:month/:file', 'file.ts', {
  year: v.string(),
  month: v.string(),
  file: v.string(),
  ...FileQuery.entries,
});
