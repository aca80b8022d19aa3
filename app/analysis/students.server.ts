/** Loads the students behind a figure: one page of them, all names and mobile numbers to copy, and the export. */
import { arrangedHomeworkHeader } from '#server/analysis/contract.ts';
import {
  type AnswerGroup,
  AnswerStudentsExtra,
  answerStudents,
  exportAnswerStudents,
} from '#server/analysis/question.contract.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { withExtra } from '../api/with-extra.server.ts';
import { homeworkSheet, questionAnchor } from '../grading/screens.ts';
import { communicationList } from '../sessions/screens.ts';
import { readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import type { FormRequest, RequestContext } from '../shell/form-request.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import type { Scope } from './screens.ts';

export const namesPerPage = 100;
/** Maximum number of names that can be copied. A longer list can only be exported. */
export const maxCopiedNames = 500;

export interface ListedStudent {
  id: number;
  nickname: string;
  /** Class name in lists of homework, school name in lists of exams. */
  place: string;
  mobile: string;
  href: string | undefined;
  /** Link to the communication records of the lesson, if the homework belongs to a lesson. */
  talkHref?: string | undefined;
  /** Values of the list's extra columns, in order. */
  notes?: string[] | undefined;
}

export interface ContactsToCopy {
  names: string[];
  mobiles: string[];
}

/** Returns the names and mobile numbers to copy. Null if the list is empty or too long. */
export const contactsToCopy = (students: readonly { nickname: string; mobile: string }[]): ContactsToCopy | null =>
  students.length === 0 || students.length > maxCopiedNames
    ? null
    : { names: students.map(({ nickname }) => nickname), mobiles: students.flatMap(({ mobile }) => mobile || []) };

interface FoundStudent {
  report_id: number;
  student_id: number;
  nickname: string;
  class_name: string;
  mobile: string;
}

interface Listing<Student> {
  page: number;
  /** Homework and class of the page. */
  scope: Scope;
  /** Question at which a student's report opens. 0 for none. */
  questionId?: number;
  /** True if the students have submitted, so that their reports can be opened. */
  handedIn: boolean;
  notes?: (student: Student) => string[];
}

/** Returns one page of `students`, and the names and mobile numbers of all of them to copy. */
export async function pageOfStudents<Student extends FoundStudent>(
  client: ApiClient,
  students: Student[],
  { page, scope, questionId, handedIn, notes }: Listing<Student>,
): Promise<{ students: Page<ListedStudent>; copies: ContactsToCopy | null }> {
  const sessionId = await lessonOf(client, scope);
  const anchor = questionId ? `#${questionAnchor(questionId)}` : '';
  return {
    students: {
      list: students.slice((page - 1) * namesPerPage, page * namesPerPage).map((student) => ({
        id: student.student_id,
        nickname: student.nickname,
        place: student.class_name,
        mobile: student.mobile,
        href: handedIn
          ? homeworkSheet.href({ report_id: student.report_id, class_id: scope.class_id }) + anchor
          : undefined,
        talkHref: sessionId ? communicationList.href({ id: sessionId, user_id: student.student_id }) : undefined,
        notes: notes?.(student),
      })),
      total: students.length,
      page,
      limit: namesPerPage,
    },
    copies: contactsToCopy(students),
  };
}

/**
 * Id of the homework's scheduled lesson. Null unless the page shows the homework as the lesson's and the lesson is the
 * user's.
 */
async function lessonOf(client: ApiClient, { hw_id, from }: Scope): Promise<number | null> {
  if (!from) return null;
  const { arrangeData } = await client.send(arrangedHomeworkHeader, { params: { hwId: hw_id } });
  return arrangeData?.session_id ?? null;
}

interface Group {
  ques_id: number;
  group: AnswerGroup;
}

/** Loads a page of the students who answered a question in one way, such as wrong or not at all. */
export async function loadAnswerStudents(
  context: RequestContext,
  { ques_id, group, page, ...scope }: Scope & Group & { page: number },
) {
  const client = context.get(api);
  const { hw_id, class_id } = scope;
  const outcome = await client.ask(answerStudents[group], { query: { hw_id, class_id, ques_id } });
  const { data, extra } = withExtra(outcome, AnswerStudentsExtra);
  return {
    number: extra.number,
    ...(await pageOfStudents(client, data, { page, scope, questionId: ques_id, handedIn: true })),
    mayDispatch: signedInPerson(context).permissions.includes('dispatch'),
    scope,
  };
}

export async function exportGroup(
  { request, context, url }: FormRequest,
  { hw_id, class_id, ...answers }: Scope & Group,
) {
  readButton(await readPostedForm(request, context), 'export');
  const { ques_id, group } = answers;
  const query = { hw_id, class_id, ques_id, group };
  return redirectToFile(context, await context.get(api).ask(exportAnswerStudents, { query }), url);
}
