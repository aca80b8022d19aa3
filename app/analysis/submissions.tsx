/** Tab of submission details: the students with their state of submission, with filters. */
import { Button } from '@mantine/core';
import type { AbsentStudent, SubmissionRow } from '#server/analysis/contract.ts';
import { remindFault, remindStudentFault } from '#server/homework/rules.ts';
import { gradingHref, homeworkDesk, homeworkSheet } from '../grading/screens.ts';
import { momentValue } from '../lib/zoned.ts';
import { actionsColumn, mobileColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { NearMoment, timeColumn } from '../ui/moment.tsx';
import { useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { suggestionsOf } from '../ui/suggestions.ts';
import type { Detail, loadSubmissions } from './detail.server.ts';
import { reminderDialog, type Scope, studentStatistics, submissions } from './screens.ts';
import { StatusTag } from './status-tag.tsx';
import styles from './submissions.analysis.module.css';
import { reportStatusChoices } from './terms.ts';

type SubmissionsData = NonNullable<Awaited<ReturnType<typeof loadSubmissions>>>;

export function Submissions({ detail, loaded }: { detail: Detail; loaded: SubmissionsData }) {
  const { place, timezone, may, now, header } = detail;
  const missing = header.total - header.submit;
  const isOpen = remindFault(header, now) === undefined;
  const { page, absent } = loaded;
  const view = useAddress(submissions);
  const { filter } = view;
  return (
    <>
      {absent && absent.length > 0 && <Absent students={absent} />}
      <List<SubmissionRow>
        view={view}
        result={page}
        caption="提交详情"
        columns={[
          {
            key: 'nickname',
            header: '学生姓名',
            minWidth: 120,
            cell: (row) => <StudentName row={row} place={place} />,
          },
          mobileColumn(),
          { key: 'class_name', header: '班级', minWidth: 120, phone: 'bare', cell: (row) => row.class_name },
          {
            key: 'status',
            header: '状态',
            phone: 'bare',
            cell: (row) => (
              <>
                <StatusTag status={row.status} />
                {row.reminded_at !== null && (
                  <SubLine>
                    已催交：
                    <NearMoment at={row.reminded_at} now={now} />（{row.reminded_by}）
                  </SubLine>
                )}
              </>
            ),
          },
          timeColumn('updated_at', '提交时间', (row) => (row.status === 1 ? 0 : row.updated_at)),
          actionsColumn((row) => {
            const { id, report_id, nickname: recordName, status } = row;
            const report = { report_id, class_id: place.class_id };
            if (may.correct && status === 2) {
              return [
                {
                  label: '批改',
                  recordName,
                  href: gradingHref(homeworkDesk, { ...report, back: view.page(page.page) }),
                },
              ];
            }
            if (status === 1) {
              const reminder = reminderDialog.href(detail.here, { student_id: id });
              return [
                isOpen && { label: '催交', recordName, href: reminder, fault: remindStudentFault(row, now) },
                { label: '查看', recordName, fault: '学员还未提交' },
              ];
            }
            return [{ label: '查看', recordName, href: homeworkSheet.href(report) }];
          }),
        ]}
        rowKey={(row) => row.report_id}
        nothing="暂无学员"
        actions={missing > 0 && <Reminding detail={detail} />}
        nothingFound="没有符合条件的学员"
        filters={{
          first: [
            { label: '学员姓名', name: 'nickname', value: filter.nickname, placeholder: '请输入关键字' },
            place.from
              ? {
                  label: '班级',
                  name: 'class_name',
                  value: filter.class_name,
                  placeholder: '请输入关键字',
                  suggestions: suggestionsOf(header.class.map(({ name }) => name)),
                }
              : { label: '手机号', name: 'mobile', value: filter.mobile, placeholder: '请输入关键字' },
            { label: '作业状态', name: 'status', value: filter.status, choices: reportStatusChoices },
          ],
          more: [
            place.from !== undefined && {
              label: '提交时间',
              from: ['start_at', momentValue(filter.start_at, timezone)],
              to: ['end_at', momentValue(filter.end_at, timezone)],
              moments: true,
            },
          ],
        }}
      />
    </>
  );
}

/** Button that reminds students who have not submitted. Disabled once they cannot submit any more. */
function Reminding({ detail: { header, now, here } }: { detail: Detail }) {
  const fault = remindFault(header, now);
  if (fault) {
    return (
      <Button type="button" variant="default" disabled title={fault}>
        一键催交
      </Button>
    );
  }
  return (
    <Button component="a" href={reminderDialog.href(here)}>
      一键催交
    </Button>
  );
}

function StudentName({ row, place }: { row: SubmissionRow; place: Scope }) {
  if (row.status === 1) return row.nickname;
  const { hw_id, class_id } = place;
  return <a href={studentStatistics.href({ hw_id, class_id, report_id: row.report_id })}>{row.nickname}</a>;
}

function Absent({ students }: { students: AbsentStudent[] }) {
  return (
    <details className={styles.absent}>
      <summary>
        最近三次作业均未提交：<strong>{students.length}</strong> 人
      </summary>
      <p>
        统计本班最近三次已截止的作业（{students[0]?.homework.map(({ name }) => name).join('、')}
        ），仅列出目前在班的学员。
      </p>
      <ul>
        {students.map(({ id, nickname, mobile }) => (
          <li key={id}>
            {nickname}
            {mobile && <span>{mobile}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
