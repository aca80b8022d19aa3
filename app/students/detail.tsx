/** All records of a student: the first rows of each kind, or one kind in full. */

import { Button } from '@mantine/core';
import type { Page } from '#server/platform/calls/rules.ts';
import { type StudentRecord, showStudent } from '#server/students/contract.ts';
import {
  listStudentAttendance,
  listStudentExams,
  listStudentHistory,
  listStudentHomework,
  listStudentLeave,
  listStudentStays,
  listStudentTalks,
} from '#server/students/records.contract.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { classChoice } from '../enrolment/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact } from '../ui/facts.tsx';
import { List } from '../ui/list.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Moment } from '../ui/moment.tsx';
import { RecordHeader } from '../ui/record-header.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Tag } from '../ui/tag.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import type { Route } from './+types/detail';
import {
  communicationColumns,
  enrolmentColumns,
  eventColumns,
  examColumns,
  homeworkColumns,
  leaveColumns,
  lessonColumns,
} from './part-columns.tsx';
import {
  type StudentTab,
  studentDelete,
  studentDisable,
  studentEdit,
  studentEnable,
  studentErase,
  studentExport,
  studentPart,
  studentPasswords,
  studentRecord,
  studentScreen,
  studentTabs,
} from './screens.ts';
import styles from './students.posts.module.css';
import { studentState, tabNames } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '学员详情' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.student.nickname, '学员详情');

/** Rows of each kind on the page that shows all kinds. */
const rowsOfEach = 5;

const calls = {
  classes: listStudentStays,
  homework: listStudentHomework,
  exams: listStudentExams,
  attendance: listStudentAttendance,
  leave: listStudentLeave,
  communication: listStudentTalks,
  history: listStudentHistory,
} as const;

type Part = Exclude<StudentTab, 'all'>;

async function loadParts(client: ApiClient, id: number, query: { page?: number; limit: number }, tab: StudentTab) {
  const params = { id };
  const part = async <Row,>(of: Part, ask: () => Promise<Page<Row>>) =>
    tab === 'all' || tab === of ? ask() : undefined;
  const [classes, homework, exams, attendance, leave, communication, history] = await Promise.all([
    part('classes', () => client.send(calls.classes, { params, query })),
    part('homework', () => client.send(calls.homework, { params, query })),
    part('exams', () => client.send(calls.exams, { params, query })),
    part('attendance', () => client.send(calls.attendance, { params, query })),
    part('leave', () => client.send(calls.leave, { params, query })),
    part('communication', () => client.send(calls.communication, { params, query })),
    part('history', () => client.send(calls.history, { params, query })),
  ]);
  return { classes, homework, exams, attendance, leave, communication, history };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showStudent);
  const client = context.get(api);
  const { id, tab } = studentRecord.at(url);
  // `showStudent` records in the history that the student was viewed. It comes first, so that the history below
  // includes this view.
  const student = await client.send(showStudent, { params: { id } });
  const query = tab === 'all' ? { limit: rowsOfEach } : studentPart.at(url).filter;
  return { student, tab, parts: await loadParts(client, id, query, tab) };
}

const nothing: Record<Part, string> = {
  classes: '没有加入过班级',
  homework: '没有作业',
  exams: '没有考试记录',
  attendance: '没有考勤记录',
  leave: '没有请假记录',
  communication: '没有沟通记录',
  history: '没有操作记录',
};

export default function StudentDetail({ loaderData: { student, tab, parts } }: Route.ComponentProps) {
  const view = useAddress(studentPart);
  const { id, counts } = student;
  const here = studentRecord.href({ id, tab });
  const shown = { id, tab, view };
  const tabs = studentTabs.map((key) => ({
    key,
    label: tabNames[key],
    href: studentRecord.href({ id, tab: key }),
    count: key === 'leave' ? counts.waiting : undefined,
  }));
  return (
    <Screen>
      <RecordHeader
        title={
          <>
            {student.nickname} <Tag tone={student.is_disabled === 1 ? 'bad' : 'good'}>{studentState(student)}</Tag>
          </>
        }
        facts={
          <>
            <Fact term="学号">{student.number || '未登记'}</Fact>
            <Fact term="编号">{id}</Fact>
            <Fact term="手机号">{student.mobile || '未登记'}</Fact>
            <Fact term="家长手机号">{student.guardian_mobile || '未登记'}</Fact>
            <Fact term="学校">{student.school_name}</Fact>
            <Fact term="添加时间">
              <Moment at={student.created_at} />
            </Fact>
            <Fact term="未完成作业">{counts.unfinished}</Fact>
            <Fact term="待审批请假">{counts.waiting}</Fact>
          </>
        }
      />
      <Toolbar>
        {student.is_erased === 0 && <Changes student={student} here={here} />}
        <Button component="a" href={studentExport.href({ id })} variant="default">
          导出数据
        </Button>
        {student.is_erased === 0 && (
          <Button component="a" href={studentErase.href(here)} variant="default">
            注销
          </Button>
        )}
      </Toolbar>
      <Tabs label="学员" current={tab} tabs={tabs} />
      <PartView
        {...shown}
        part="classes"
        result={parts.classes}
        columns={enrolmentColumns(student, here)}
        rowKey={({ class_id, joined_at }) => `${class_id} ${joined_at}`}
      />
      <PartView {...shown} part="homework" result={parts.homework} columns={homeworkColumns} />
      <PartView {...shown} part="exams" result={parts.exams} columns={examColumns} />
      <PartView
        {...shown}
        part="attendance"
        result={parts.attendance}
        columns={lessonColumns}
        rowKey={({ kind, id: lesson, class_id }) => `${kind} ${lesson} ${class_id}`}
      />
      <PartView {...shown} part="leave" result={parts.leave} columns={leaveColumns} />
      <PartView {...shown} part="communication" result={parts.communication} columns={communicationColumns} />
      <PartView {...shown} part="history" result={parts.history} columns={eventColumns} />
    </Screen>
  );
}

/** Links to edit the student, unless the student is erased. */
function Changes({ student, here }: { student: StudentRecord; here: ReturnType<typeof studentRecord.href> }) {
  const { id } = student;
  return (
    <>
      <Button component="a" href={studentEdit.href({ id })}>
        编辑
      </Button>
      {student.is_disabled === 0 && (
        <Button component="a" href={classChoice.href({ ids: [id], back: here })} variant="default">
          加入班级
        </Button>
      )}
      {student.is_disabled === 0 && (
        <Button component="a" href={studentPasswords.href({ student_id: id })} variant="default">
          初始密码
        </Button>
      )}
      {student.is_disabled === 1 ? (
        <Button component="a" href={studentEnable.href(here)} variant="default">
          恢复
        </Button>
      ) : (
        <Button component="a" href={studentDisable.href(here)} variant="default">
          停用
        </Button>
      )}
      {student.records === '' && (
        <Button component="a" href={studentDelete.href(here)} variant="default">
          删除
        </Button>
      )}
    </>
  );
}

interface PartViewProps<Row> {
  id: number;
  tab: StudentTab;
  part: Part;
  view: ReturnType<typeof studentPart.at>;
  result: Page<Row> | undefined;
  columns: Column<Row>[];
  rowKey?: (row: Row) => string | number;
}

const idOf = (row: unknown) => (row as { id: number }).id;

function PartView<Row>({ id, tab, part, view, result, columns, rowKey = idOf }: PartViewProps<Row>) {
  if (!result) return null;
  const caption = tabNames[part];
  if (tab !== 'all') {
    return (
      <List<Row>
        view={view}
        result={result}
        caption={caption}
        columns={columns}
        rowKey={rowKey}
        nothing={nothing[part]}
      />
    );
  }
  return (
    <section className={styles.part}>
      <h2>{caption}</h2>
      {result.list.length === 0 && <p className={styles.none}>{nothing[part]}</p>}
      {result.list.length > 0 && (
        <ListTable caption={caption} columns={columns} rows={result.list} rowKey={rowKey} empty={nothing[part]} />
      )}
      {result.total > result.list.length && (
        <p className={styles.onwards}>
          <a href={studentRecord.href({ id, tab: part })}>
            全部{caption}（{result.total}）
          </a>
        </p>
      )}
    </section>
  );
}
