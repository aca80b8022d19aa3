/** List of reports that wait for grading, one per row or grouped by homework with its progress. */
import { Button } from '@mantine/core';
import { Fragment } from 'react';
import type { GradingRow, HomeworkToGrade } from '#server/grading-desk/list.contract.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { homeworkDetail } from '../analysis/screens.ts';
import { homeworkList } from '../homework/screens.ts';
import { homeworkTypeChoices, homeworkTypeNames, thisWeekPreset } from '../homework/terms.ts';
import { actionsColumn } from '../ui/columns.tsx';
import type { Filters, Suggestions } from '../ui/filter-form.tsx';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { NearMoment, timeColumn } from '../ui/moment.tsx';
import { RowAction } from '../ui/row-action.tsx';
import { useAddress } from '../ui/screen.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { useNow, useTimezone } from '../ui/use-school.ts';
import { gradingList } from './screens.ts';

type View = ReturnType<typeof gradingList.at>;

type Names = Record<'courses' | 'periods' | 'publishers', Suggestions> | undefined;

function useFilters({ filter }: View, names: Names): Filters {
  const thisWeek = thisWeekPreset(useNow(), useTimezone());
  return {
    first: [
      { label: '作业名称', name: 'name', value: filter.name },
      { label: '课程', name: 'course_title', value: filter.course_title, suggestions: names?.courses },
      { label: '学员', name: 'nickname', value: filter.nickname },
    ],
    more: [
      { label: '类型', name: 'type', value: filter.type, choices: homeworkTypeChoices },
      { label: '课时', name: 'periods_title', value: filter.periods_title, suggestions: names?.periods },
      { label: '发布人', name: 'publisher_name', value: filter.publisher_name, suggestions: names?.publishers },
      {
        label: '发布时间',
        from: ['publish_start', filter.publish_start],
        to: ['publish_end', filter.publish_end],
      },
    ],
    presets: [thisWeek],
    further: { hw_id: '只看一份作业' },
  };
}

/** Link from the list of reports to the list by homework, or back, with the same filters. */
const ViewLink = ({ view }: { view: View }) => {
  if (view.filter.nickname !== undefined) return null;
  const isRows = view.place.view === 'rows';
  const other = isRows
    ? { href: view.with({ view: 'groups', hw_id: undefined, page: undefined }), label: '按作业查看' }
    : { href: view.with({ view: 'rows', page: undefined }), label: '逐份查看' };
  return (
    <Button component="a" variant="default" href={other.href}>
      {other.label}
    </Button>
  );
};

const toHomework = (
  <Button component="a" variant="default" href={homeworkList.href()}>
    查看作业
  </Button>
);

/** Columns of both lists. */
const publicationColumns: Column<GradingRow | HomeworkToGrade>[] = [
  { key: 'type', header: '类型', nowrap: true, phone: 'hidden', cell: (row) => homeworkTypeNames[row.type] },
  { key: 'course_title', header: '课程', minWidth: 120, phone: 'bare', cell: (row) => row.course_title },
  { key: 'periods_title', header: '课时', minWidth: 100, phone: 'hidden', cell: (row) => row.periods_title || '-' },
  { key: 'publisher_name', header: '发布人', minWidth: 70, phone: 'hidden', cell: (row) => row.publisher_name },
  timeColumn('publish_time', '发布时间', (row) => row.publish_time, { phone: 'hidden' }),
];

interface ReportListProps {
  reports: Page<GradingRow>;
  names: Names;
}

export function ReportList({ reports, names }: ReportListProps) {
  const view = useAddress(gradingList);
  const filters = useFilters(view, names);
  return (
    <List<GradingRow>
      view={view}
      result={reports}
      caption="待批改列表"
      columns={[
        {
          key: 'name',
          header: '作业名称',
          minWidth: 160,
          cell: ({ hw_id, name }) => <a href={homeworkDetail.href({ hw_id, class_id: 0 })}>{name}</a>,
        },
        { key: 'nickname', header: '学生', minWidth: 80, phone: 'bare', cell: (row) => row.nickname },
        timeColumn('submit_time', '提交时间', (row) => row.submit_time),
        ...publicationColumns,
        actionsColumn(({ hw_id, uid, name, nickname }) => [
          { label: '批改', recordName: `${nickname}，${name}`, intent: `start ${hw_id} ${uid}` },
        ]),
      ]}
      rowKey={(row) => row.report_id}
      nothing="没有待批改的作业"
      next={toHomework}
      nothingFound="没有符合条件的作业"
      filters={filters}
      actions={<ViewLink view={view} />}
      around={(table) => <Form action={view.here}>{table}</Form>}
    />
  );
}

interface HomeworkGroupsProps {
  groups: Page<HomeworkToGrade>;
  names: Names;
  /** Unix seconds. */
  now: number;
}

export function HomeworkGroups({ groups, names, now }: HomeworkGroupsProps) {
  const view = useAddress(gradingList);
  const filters = useFilters(view, names);
  return (
    <List<HomeworkToGrade>
      view={view}
      result={groups}
      caption="待批改的作业"
      columns={[
        {
          key: 'name',
          header: '作业名称',
          minWidth: 200,
          cell: (row) => (
            <>
              <a href={homeworkDetail.href({ hw_id: row.hw_id, class_id: 0 })}>{row.name}</a>
              <SubLine>
                {row.ending_time <= now && '已截止 '}
                <NearMoment at={row.ending_time} now={now} />
              </SubLine>
            </>
          ),
        },
        {
          key: 'progress',
          header: '批改进度',
          phone: 'line',
          minWidth: 190,
          cell: ({ submitted, waiting }) => {
            const done = submitted - waiting;
            const percent = submitted === 0 ? 0 : Math.floor((done * 100) / submitted);
            return (
              <ShareBar percent={percent} title={`已批改${done}份，共${submitted}份`} note={` ${done}/${submitted}`} />
            );
          },
        },
        ...publicationColumns,
        actionsColumn(({ hw_id, name, waiting, submitted }) => [
          { label: waiting < submitted ? '继续批改' : '去批改', recordName: name, intent: `start ${hw_id}` },
        ]),
      ]}
      rowKey={(row) => row.hw_id}
      details={(row) => (
        <WaitingStudents row={row} allHref={view.with({ view: 'rows', hw_id: row.hw_id, page: undefined })} />
      )}
      nothing="没有待批改的作业"
      next={toHomework}
      nothingFound="没有符合条件的作业"
      filters={filters}
      actions={<ViewLink view={view} />}
      around={(table) => <Form action={view.here}>{table}</Form>}
    />
  );
}

/** Folded list of the students whose reports of one homework wait for grading. */
function WaitingStudents({ row, allHref }: { row: HomeworkToGrade; allHref: string }) {
  const { hw_id, name, waiting, students } = row;
  return (
    <details>
      <summary>
        {waiting}份待批改
        {students[0] && (
          <>
            ，最早提交时间 <NearMoment at={students[0].submit_time} />
          </>
        )}
      </summary>
      <p>
        {students.map(({ report_id, uid, nickname, submit_time }) => (
          <Fragment key={report_id}>
            <span style={{ whiteSpace: 'nowrap' }}>
              {nickname} <NearMoment at={submit_time} />{' '}
              <RowAction label="批改" recordName={`${nickname}，${name}`} intent={`start ${hw_id} ${uid}`} />
            </span>{' '}
          </Fragment>
        ))}
        {waiting > students.length && <a href={allHref}>全部{waiting}份</a>}
      </p>
    </details>
  );
}
