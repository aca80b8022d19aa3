/** Calls of administrators for the first passwords of learners, which are printed by class. */
import * as v from 'valibot';
import { SearchId, SearchIds, Seconds, TypedText } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { passwordStates } from './rules.ts';

/** Selects the present members of a class, or one student. */
export const LearnerPasswordFilter = v.object({ class_id: SearchId, student_id: SearchId });

export const LearnerPasswordRow = v.object({
  id: v.number(),
  nickname: v.string(),
  /** Number that the learner signs in with: the student number, else the mobile number. */
  number: v.string(),
  state: v.picklist(passwordStates),
  /** When the password was printed or chosen; null if the learner has none. */
  set_at: v.nullable(Seconds),
  /** Why the learner can get no password; '' if they can. */
  fault: v.string(),
});
export type LearnerPasswordRow = v.InferOutput<typeof LearnerPasswordRow>;

export const listLearnerPasswords = adminCall({
  method: 'GET',
  path: 'students/passwords',
  title: '学员的登录密码',
  description: '班级 class_id 在班的学员，或学员 student_id：有没有登录密码。密码本身不能查看。',
  needs: 'people',
  query: LearnerPasswordFilter,
  answer: v.object({
    /** Name of the class or the student. */
    title: v.string(),
    list: v.array(LearnerPasswordRow),
  }),
});

/** A first password. It is shown only in this answer. */
export const GivenLearnerPassword = v.object({
  id: v.number(),
  nickname: v.string(),
  number: v.string(),
  password: v.string(),
});
export type GivenLearnerPassword = v.InferOutput<typeof GivenLearnerPassword>;

/**
 * Gives first passwords, to all chosen students or to none. `acknowledged` must repeat the sentence of the refusal
 * (409) about earlier passwords that end.
 */
export const giveLearnerPasswords = adminCall({
  method: 'POST',
  path: 'students/passwords',
  title: '生成学员的初始密码',
  description:
    '初始密码只在本次应答中出现，学员首次登录须修改。其中有学员已有密码时返回409，说明哪些密码将作废，确认后再次提交。',
  needs: 'people',
  body: v.object({ ids: SearchIds, acknowledged: TypedText }),
  answer: v.array(GivenLearnerPassword),
  message: '初始密码已生成',
  secret: true,
});
