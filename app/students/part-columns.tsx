/** Table columns of the lists on a student's screen: classes, homework, exams, lessons, leave. Cells link to details. */

import { reportStatusNames } from '#server/grading/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import type { StudentRecord } from '#server/students/contract.ts';
import type {
  StudentEvent,
  StudentExam,
  StudentHomework,
  StudentLeave,
  StudentLesson,
  StudentStay,
  StudentTalk,
} from '#server/students/records.contract.ts';
import { classMembers, membersJoin, membersLeave } from '../enrolment/screens.ts';
import { actionsColumn } from '../ui/columns.tsx';
import type { Column } from '../ui/list-table.tsx';
import { NearMoment, timeColumn } from '../ui/moment.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import styles from './students.posts.module.css';
import { actionName, classTypeName } from './terms.ts';

interface InClass {
  class_id: number;
  class_name: string;
}
const classColumn = <Row extends InClass>(): Column<Row> => ({
  key: 'class',
  header: '班级',
  minWidth: 120,
  cell: ({ class_id, class_name }) => <a href={classMembers.href({ id: class_id })}>{class_name}</a>,
});

/** Columns of a student's enrolments. `here` is the address to which forms return. */
export const enrolmentColumns = (
  student: Pick<StudentRecord, 'id' | 'is_disabled'>,
  here: string,
): Column<StudentStay>[] => [
  {
    ...classColumn<StudentStay>(),
    cell: ({ class_id, class_name, class_type }) => (
      <>
        <a href={classMembers.href({ id: class_id })}>{class_name}</a>
        {classTypeName(class_type) && <SubLine>{classTypeName(class_type)}</SubLine>}
      </>
    ),
  },
  timeColumn('joined', '加入时间', (row) => row.joined_at),
  {
    key: 'left',
    header: '离开时间',
    cell: ({ left_at, left_reason, leaving_at }) =>
      left_at === null ? (
        leaving_at === null ? (
          '-'
        ) : (
          <>
            <NearMoment at={leaving_at} /> 将离开
          </>
        )
      ) : (
        <>
          <NearMoment at={left_at} />
          {left_reason && <SubLine>{left_reason}</SubLine>}
        </>
      ),
  },
  {
    key: 'state',
    header: '状态',
    nowrap: true,
    phone: 'bare',
    cell: ({ left_at, is_running }) => (
      <Tag tone={left_at === null ? 'good' : 'plain'}>
        {left_at === null ? (is_running === 1 ? '在班' : '班级已结束') : '已离开'}
      </Tag>
    ),
  },
  actionsColumn(({ class_id, class_name, is_latest, left_at, is_running }) => {
    if (is_latest === 0) return [];
    const to = { id: class_id, ids: [student.id], back: here };
    return left_at === null
      ? [{ label: '离开', recordName: class_name, href: membersLeave.href(to), danger: true }]
      : [
          is_running === 1 &&
            student.is_disabled === 0 && { label: '重新加入', recordName: class_name, href: membersJoin.href(to) },
        ];
  }),
];

export const homeworkColumns: Column<StudentHomework>[] = [
  {
    key: 'name',
    header: '作业',
    minWidth: 140,
    cell: ({ name, course }) => (
      <>
        {name}
        <SubLine>{course}</SubLine>
      </>
    ),
  },
  classColumn(),
  timeColumn('ending', '截止时间', (row) => row.ending_time),
  {
    key: 'submitted',
    header: '提交时间',
    nowrap: true,
    cell: ({ submit_time }) => (submit_time === null ? '-' : <NearMoment at={submit_time} />),
  },
  {
    key: 'state',
    header: '状态',
    nowrap: true,
    phone: 'bare',
    cell: ({ is_recalled, status }) =>
      is_recalled === 1 ? (
        <Tag tone="plain">已撤回</Tag>
      ) : (
        <Tag tone={status === 3 ? 'good' : status === 2 ? 'warn' : 'bad'}>{reportStatusNames[status]}</Tag>
      ),
  },
  {
    key: 'score',
    header: '得分',
    align: 'right',
    cell: ({ score, total }) => (score === null ? '-' : `${formatScore(score)} / ${formatScore(total)}`),
  },
];

export const examColumns: Column<StudentExam>[] = [
  { key: 'name', header: '考试', minWidth: 140, cell: ({ name }) => name },
  timeColumn('submitted', '提交时间', (row) => row.submit_time),
  {
    key: 'length',
    header: '用时',
    align: 'right',
    cell: ({ answer_time }) => `${Math.floor(answer_time / 60)} 分钟`,
  },
  {
    key: 'state',
    header: '状态',
    nowrap: true,
    phone: 'bare',
    cell: ({ test_status, is_passed }) =>
      test_status === 2 ? (
        <Tag tone="warn">待批改</Tag>
      ) : is_passed === null ? (
        <Tag tone="good">已批改</Tag>
      ) : (
        <Tag tone={is_passed === 1 ? 'good' : 'bad'}>{is_passed === 1 ? '已通过' : '未通过'}</Tag>
      ),
  },
  {
    key: 'score',
    header: '得分',
    align: 'right',
    cell: ({ score, total }) => `${formatScore(score)} / ${formatScore(total)}`,
  },
];

const attendedTones = { 0: 'plain', 1: 'good', 2: 'warn', 3: 'bad' } as const;

const lessonCell = ({ title, course }: { title: string; course: string }) => (
  <>
    {title}
    <SubLine>{course}</SubLine>
  </>
);

export const lessonColumns: Column<StudentLesson>[] = [
  { key: 'title', header: '课时、课次', minWidth: 140, cell: lessonCell },
  classColumn(),
  timeColumn('start', '上课时间', (row) => row.start),
  {
    key: 'state',
    header: '考勤',
    nowrap: true,
    phone: 'bare',
    cell: ({ attended, state }) => <Tag tone={attendedTones[attended]}>{state}</Tag>,
  },
];

export const leaveColumns: Column<StudentLeave>[] = [
  { key: 'title', header: '课时', minWidth: 140, cell: lessonCell },
  classColumn(),
  timeColumn('start', '上课时间', (row) => row.start),
  { key: 'cause', header: '原因', cell: ({ cause }) => cause || '-' },
  timeColumn('requested', '申请时间', (row) => row.requested_at),
  {
    key: 'state',
    header: '审批',
    minWidth: 140,
    phone: 'bare',
    cell: ({ is_waiting, state, decided_at, decided_by }) => (
      <>
        <Tag tone={is_waiting === 1 ? 'warn' : 'plain'}>{state}</Tag>
        {decided_at !== null && (
          <SubLine>
            {decided_by} <NearMoment at={decided_at} />
          </SubLine>
        )}
      </>
    ),
  },
];

export const communicationColumns: Column<StudentTalk>[] = [
  {
    key: 'content',
    header: '沟通内容',
    minWidth: 200,
    cell: ({ content }) => <span className={styles.text}>{content}</span>,
  },
  {
    key: 'lesson',
    header: '课次',
    cell: ({ class_name, start }) => (
      <>
        {class_name}
        <SubLine>
          <NearMoment at={start} />
        </SubLine>
      </>
    ),
  },
  { key: 'by', header: '记录人', minWidth: 70, cell: ({ by }) => by },
  timeColumn('at', '记录时间', (row) => row.at),
];

export const eventColumns: Column<StudentEvent>[] = [
  {
    key: 'action',
    header: '操作',
    minWidth: 120,
    cell: ({ action, class_name }) => (
      <>
        {actionName(action)}
        {class_name && <SubLine>{class_name}</SubLine>}
      </>
    ),
  },
  {
    key: 'changes',
    header: '内容',
    minWidth: 160,
    cell: ({ changes }) => (changes.length === 0 ? '-' : <span className={styles.text}>{changes.join('\n')}</span>),
  },
  { key: 'by', header: '操作人', minWidth: 70, cell: ({ by }) => by || '系统' },
  timeColumn('at', '时间', (row) => row.at),
];
