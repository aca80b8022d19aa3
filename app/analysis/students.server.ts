/** The students behind a figure: a page of them, what of them can be copied, and their file. */
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
import { homeworkSheet, questionAnchor } from '../correction/screens.ts';
import { communicationList } from '../sessions/screens.ts';
import { pressed, toFile, typedForm } from '../shell/form-action.server.ts';
import type { FormRequest, RequestContext } from '../shell/form-request.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import type { Scope } from './screens.ts';

/** Names on one page of a dialog. */
export const namesOnPage = 100;
/** A longer list is handed on as a file. */
export const maxCopiedNames = 500;

export interface ListedStudent {
  id: number;
  nickname: string;
  /** Their class or school. */
  place: string;
  mobile: string;
  /** Their report, where they handed one in. */
  href: string | undefined;
  /** The records of communication, where the homework is of a lesson that has some. */
  talkHref?: string | undefined;
  /** One for each column that the list has besides. */
  notes?: string[] | undefined;
}

/** What of the students of a list can be copied. */
export interface Copies {
  names: string[];
  mobiles: string[];
}

/** None of a list that is too long for it. */
export const copiesOf = (students: readonly { nickname: string; mobile: string }[]): Copies | null =>
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
  /** The class that is looked at. */
  scope: Scope;
  /** The question at which their reports are opened; 0 for none. */
  questionId?: number;
  /** Whether they have a report that can be read. */
  handedIn: boolean;
  notes?: (student: Student) => string[];
}

/** A page of students that came all at once, and the names and numbers of all of them. */
export async function listed<Student extends FoundStudent>(
  client: ApiClient,
  students: Student[],
  { page, scope, questionId, handedIn, notes }: Listing<Student>,
): Promise<{ students: Page<ListedStudent>; copies: Copies | null }> {
  const sessionId = await lessonOf(client, scope);
  const anchor = questionId ? `#${questionAnchor(questionId)}` : '';
  return {
    students: {
      list: students.slice((page - 1) * namesOnPage, page * namesOnPage).map((student) => ({
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
      limit: namesOnPage,
    },
    copies: copiesOf(students),
  };
}

/** The scheduled lesson of the homework, where it is looked at as that of one which is the person's. */
async function lessonOf(client: ApiClient, { hw_id, from }: Scope): Promise<number | null> {
  if (!from) return null;
  const { arrangeData } = await client.send(arrangedHomeworkHeader, { params: { hwId: hw_id } });
  return arrangeData?.session_id ?? null;
}

interface Group {
  ques_id: number;
  group: AnswerGroup;
}

export async function loadGroup(
  context: RequestContext,
  { ques_id, group, page, ...scope }: Scope & Group & { page: number },
) {
  const client = context.get(api);
  const { hw_id, class_id } = scope;
  const asked = await client.ask(answerStudents[group], { query: { hw_id, class_id, ques_id } });
  const { data, extra } = withExtra(asked, AnswerStudentsExtra);
  return {
    number: extra.number,
    ...(await listed(client, data, { page, scope, questionId: ques_id, handedIn: true })),
    mayDispatch: signedInPerson(context).permissions.includes('dispatch'),
    scope,
  };
}

/** 导出. */
export async function exportGroup(
  { request, context, url }: FormRequest,
  { hw_id, class_id, ...asked }: Scope & Group,
) {
  pressed(await typedForm(request, context), 'export');
  const { ques_id, group } = asked;
  const query = { hw_id, class_id, ques_id, group };
  return toFile(context, await context.get(api).ask(exportAnswerStudents, { query }), url);
}
