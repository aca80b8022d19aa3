import type { TeamClassRow } from '#server/group-classes/contract.ts';
import { formatTime } from '../lib/dates.ts';
import { teachingModeNames } from '../sessions/terms.ts';
import { rowAction } from '../ui/button.tsx';
import type { Column } from '../ui/list-table.tsx';
import { Tag } from '../ui/tag.tsx';
import styles from './group-classes.module.css';
import { teamDetail } from './screens.ts';
import { teamStatusNames } from './terms.ts';

interface ColumnsContext {
  timezone: string;
  /** The school has several; classify and grade are shown as the school's settings say. */
  hasSchools: boolean;
  show_grade: boolean;
  show_classify: boolean;
}

export function teamClassColumns({
  timezone,
  hasSchools,
  show_grade,
  show_classify,
}: ColumnsContext): Column<TeamClassRow>[] {
  const column = (
    key: string,
    header: string,
    cell: (row: TeamClassRow) => string,
    minWidth?: number,
  ): Column<TeamClassRow> => ({ key, header, cell, minWidth });
  return [
    {
      key: 'name',
      header: '班级名称',
      minWidth: 130,
      cell: (row) => (
        <>
          <a href={teamDetail.href({ id: row.id })}>{row.class_name}</a>
          {row.remarks && <span className={styles.below}>备注：{row.remarks}</span>}
        </>
      ),
    },
    ...(hasSchools ? [column('org', '校区', (row) => row.org_name, 80)] : []),
    ...(show_grade ? [column('grade', '年级', (row) => row.grade_name || '-')] : []),
    ...(show_classify ? [column('classify', '分类', (row) => row.classify_name || '-')] : []),
    column('subject', '科目', (row) => row.sub_name || '-'),
    column('teacher', '授课老师', (row) => row.teacher_name || '-'),
    column('assistant', '助教', (row) => row.assistant_name || '-'),
    column('mode', '授课方式', (row) => teachingModeNames[row.teaching_mode]),
    column('room', '教室', (row) => row.room_name || '-'),
    { key: 'number', header: '在读人数', align: 'right', cell: (row) => row.in_number },
    column('sign', '报名方式', (row) => row.sign_type_name || '-'),
    column('schedule', '上课安排', (row) => row.schedule || '-', 90),
    { key: 'status', header: '状态', cell: (row) => <TeamStatusTag status={row.status} /> },
    {
      key: 'start',
      header: '开课时间',
      minWidth: 100,
      cell: (row) => (
        <>
          {formatTime(row.start_time, timezone)}
          <span className={`${styles.below} ${styles.unbroken}`}>
            创建 {formatTime(row.created_at, timezone).slice(0, 10)}
          </span>
        </>
      ),
    },
    {
      key: 'actions',
      header: '操作',
      cell: (row) => (
        <a className={rowAction} href={teamDetail.href({ id: row.id })} aria-label={`详情：${row.class_name}`}>
          详情
        </a>
      ),
    },
  ];
}

const statusTones = { 1: 'accent', 2: 'good', 3: 'plain' } as const;

export const TeamStatusTag = ({ status }: { status: 1 | 2 | 3 }) => (
  <Tag tone={statusTones[status]}>{teamStatusNames[status]}</Tag>
);
