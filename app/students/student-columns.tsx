/** Columns and filters of student lists, to manage students and to pick them. */

import type { StudentFilter, StudentRow } from '#server/students/contract.ts';
import { classMembers } from '../enrolment/screens.ts';
import { choicesOf, type Filters } from '../ui/filter-form.tsx';
import type { GridColumn } from '../ui/list-table.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import { studentRecord } from './screens.ts';
import { stateChoices, studentState } from './terms.ts';

const classesShown = 3;

export const studentColumns = (severalSchools: boolean): GridColumn<StudentRow>[] => [
  {
    key: 'name',
    header: '姓名',
    minWidth: 110,
    sortField: 'nickname',
    sortFirst: 'asc',
    cell: (row) => (
      <>
        <a href={studentRecord.href({ id: row.id })}>{row.nickname}</a>
        {severalSchools && <SubLine>{row.school_name}</SubLine>}
      </>
    ),
  },
  { key: 'number', header: '学号', sortField: 'number', sortFirst: 'asc', cell: (row) => row.number || '-' },
  {
    key: 'mobile',
    header: '手机号',
    nowrap: true,
    cell: (row) => (
      <>
        {row.mobile || '-'}
        {row.guardian_mobile && <SubLine>家长 {row.guardian_mobile}</SubLine>}
      </>
    ),
  },
  {
    key: 'classes',
    header: '班级',
    minWidth: 140,
    cell: ({ classes }) =>
      classes.length === 0 ? (
        '未分班'
      ) : (
        <>
          {classes.slice(0, classesShown).map(({ id, name }, at) => (
            <span key={id}>
              {at > 0 && '、'}
              <a href={classMembers.href({ id })}>{name}</a>
            </span>
          ))}
          {classes.length > classesShown && `等${classes.length}个`}
        </>
      ),
  },
  {
    key: 'created',
    header: '添加时间',
    nowrap: true,
    phone: 'hidden',
    sortField: 'created_at',
    cell: (row) => <NearMoment at={row.created_at} />,
  },
  {
    key: 'state',
    header: '状态',
    nowrap: true,
    phone: 'bare',
    cell: (row) => <Tag tone={row.is_disabled === 1 ? 'bad' : 'good'}>{studentState(row)}</Tag>,
  },
];

interface Choices {
  schools: { id: number; name: string }[];
  grades: { id: number; name: string }[];
}

export const studentFilters = (filter: StudentFilter, { schools, grades }: Choices): Filters => ({
  first: [
    { label: '姓名、学号、手机号', name: 'name', value: filter.name },
    { label: '班级', name: 'class_name', value: filter.class_name },
  ],
  more: [
    { label: '年级', name: 'grade_id', value: filter.grade_id, choices: choicesOf(grades) },
    schools.length > 1 && { label: '学校', name: 'school_id', value: filter.school_id, choices: choicesOf(schools) },
    { label: '状态', name: 'state', value: filter.state, choices: stateChoices.map(([state, name]) => [state, name]) },
  ],
  presets: [
    { label: '未分班', filter: { state: 'unplaced' } },
    { label: '已停用', filter: { state: 'disabled' } },
  ],
});
