import { handle } from '#server/school/context.ts';
import { attendancePage, leavePage } from './attendance-records.ts';
import { createStudent, disableStudentOf, enableStudentOf, removeStudent, updateStudent } from './changes.ts';
import {
  addStudent,
  deleteStudent,
  disableStudent,
  editStudent,
  enableStudent,
  listClassChoices,
  listStudents,
  showStudent,
  studentChoices,
} from './contract.ts';
import { classChoices, loadStudentChoices, studentPage } from './list.ts';
import { studentRecordOf } from './record.ts';
import {
  listStudentAttendance,
  listStudentExams,
  listStudentHistory,
  listStudentHomework,
  listStudentLeave,
  listStudentStays,
  listStudentTalks,
} from './records.contract.ts';
import { examPage, historyPage, homeworkPage, stayPage, talkPage } from './records.ts';

export const studentCalls = [
  handle(listStudents, ({ query, ...context }) => studentPage(context, query)),
  handle(studentChoices, (context) => loadStudentChoices(context)),
  handle(listClassChoices, ({ query, ...context }) => classChoices(context, query)),
  handle(showStudent, ({ params, ...context }) => studentRecordOf(context, params.id)),
  handle(listStudentStays, ({ params, query, ...context }) => stayPage(context, params.id, query)),
  handle(listStudentHomework, ({ params, query, ...context }) => homeworkPage(context, params.id, query)),
  handle(listStudentExams, ({ params, query, ...context }) => examPage(context, params.id, query)),
  handle(listStudentAttendance, ({ params, query, ...context }) => attendancePage(context, params.id, query)),
  handle(listStudentLeave, ({ params, query, ...context }) => leavePage(context, params.id, query)),
  handle(listStudentTalks, ({ params, query, ...context }) => talkPage(context, params.id, query)),
  handle(listStudentHistory, ({ params, query, ...context }) => historyPage(context, params.id, query)),
  handle(addStudent, ({ body, ...context }) => createStudent(context, body)),
  handle(editStudent, ({ params, body, ...context }) => updateStudent(context, params.id, body)),
  handle(disableStudent, ({ params, body, ...context }) => disableStudentOf(context, params.id, body)),
  handle(enableStudent, ({ params, ...context }) => enableStudentOf(context, params.id)),
  handle(deleteStudent, ({ params, ...context }) => removeStudent(context, params.id)),
];
