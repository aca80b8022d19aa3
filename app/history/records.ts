/** Links from rows of the history to the screens of the changed records, if the user may open them. */
import type { Me } from '#server/account/sign-in.contract.ts';
import type { HistoryRow } from '#server/history/contract.ts';
import type { HistoryRecord } from '#server/history/rules.ts';
import { staffDetail } from '../account/screens.ts';
import { catalogue } from '../catalogue/screens.ts';
import { adminClass, largeClassList } from '../classes/screens.ts';
import { circleDetail, reportedPost } from '../community/screens.ts';
import { courseDetail } from '../courses/screens.ts';
import { examRecord } from '../exams/screens.ts';
import { bankQuestionDetail, errorReportDetail, pointList } from '../questions/screens.ts';
import { schoolList } from '../schools/screens.ts';
import { studentRecord } from '../students/screens.ts';

type Permission = Me['permissions'][number];
type Screen = readonly [needs: Permission, href: (id: number, name: string) => string];

const screens: Partial<Record<HistoryRecord, Screen>> = {
  staff: ['people', (id) => staffDetail.href({ id })],
  student: ['people', (id) => studentRecord.href({ id })],
  // A school or large class has no page of its own, so its link opens the list, filtered by its name.
  school: ['settings', (_, name) => schoolList.href({ name })],
  large_class: ['teaching', (_, name) => largeClassList.href({ name })],
  class: ['teaching', (id) => adminClass.href({ id })],
  course: ['teaching', (id) => courseDetail.href({ id })],
  exam: ['exams', (id) => examRecord.href({ id })],
  community_group: ['teaching', (id) => circleDetail.href({ id })],
  grade: ['teaching', () => catalogue.href({ kind: 'grades' })],
  classify: ['teaching', () => catalogue.href({ kind: 'categories' })],
  subject: ['teaching', () => catalogue.href({ kind: 'subjects' })],
  term: ['teaching', () => catalogue.href({ kind: 'terms' })],
  room: ['teaching', () => catalogue.href({ kind: 'rooms' })],
  ware_classify: ['teaching', () => catalogue.href({ kind: 'ware-categories' })],
  exam_category: ['teaching', () => catalogue.href({ kind: 'exam-categories' })],
  knowledge_point: ['teaching', (_, name) => pointList.href({ name })],
  question: ['teaching', (id) => bankQuestionDetail.href({ id })],
  question_correction: ['teaching', (id) => errorReportDetail.href({ id })],
};

/** A post has a screen here only if it was reported. */
const reported: Screen = ['people', (id) => reportedPost.href({ id })];

/** Returns the address of a record's screen; undefined if it has none or the user lacks the permission. */
export function recordHref(
  row: Pick<HistoryRow, 'leads_to' | 'action' | 'title'>,
  permissions: readonly Permission[],
): string | undefined {
  if (row.leads_to === null) return undefined;
  const record = row.leads_to.record as HistoryRecord;
  const wasReported = record === 'community_post' && (row.action === 'dismiss' || row.action === 'undo');
  const [needs, href] = (wasReported ? reported : screens[record]) ?? [];
  return needs && href && permissions.includes(needs) ? href(row.leads_to.id, row.title) : undefined;
}
