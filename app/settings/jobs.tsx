/** List of background jobs: running, waiting and failed. */
import { type JobRow, listJobs, retryJob } from '#server/system/jobs.contract.ts';
import type { JobState } from '#server/system/rules.ts';
import { api } from '../api/client.server.ts';
import { importDetail } from '../import/screens.ts';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { Form } from '../ui/form.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Screen } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/jobs';
import { jobsScreen } from './screens.ts';
import styles from './settings.posts.module.css';
import { SettingsTabs } from './settings-tabs.tsx';
import { describeJobFailure, jobNames, jobStateNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('任务', '设置');

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, listJobs);
  return { jobs: await context.get(api).send(listJobs) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [, ...job] = readButton(form, 'retry');
  return redirectBack(context, await context.get(api).ask(retryJob, { body: { job: job.join(' ') } }), url);
}

const tones: Record<JobState, 'good' | 'warn' | 'bad'> = {
  fine: 'good',
  running: 'good',
  waiting: 'warn',
  failing: 'bad',
};

const nameOf = ({ kind, name }: JobRow) => (name ? `${jobNames[kind]}：${name}` : jobNames[kind]);
const importOf = ({ id }: JobRow) => Number(id.split(' ')[1]);

export default function AdminJobs({ loaderData: { jobs } }: Route.ComponentProps) {
  return (
    <Screen title="设置" className={styles.page}>
      <SettingsTabs current="jobs" />
      <Form action={jobsScreen.href()}>
        <div className={styles.body}>
          <ListTable<JobRow>
            caption="系统在后台做的事"
            rows={jobs}
            rowKey={({ id }) => id}
            empty="暂无任务，服务启动后会出现在这里"
            columns={[
              {
                key: 'name',
                header: '任务',
                minWidth: 160,
                cell: (row) => (
                  <>
                    {nameOf(row)}
                    {row.error && (
                      <SubLine>
                        {row.tries > 0 ? `已失败${row.tries}次：${describeJobFailure(row)}` : describeJobFailure(row)}
                      </SubLine>
                    )}
                  </>
                ),
              },
              {
                key: 'state',
                header: '状态',
                nowrap: true,
                cell: ({ state }) => <Tag tone={tones[state]}>{jobStateNames[state]}</Tag>,
              },
              numberColumn('waiting', '等待', ({ waiting }) => waiting ?? '-'),
              {
                key: 'oldest',
                header: '最早的一条',
                nowrap: true,
                cell: ({ oldest_at }) => (oldest_at === null ? '-' : <NearMoment at={oldest_at} />),
              },
              {
                key: 'done',
                header: '上次完成',
                nowrap: true,
                cell: ({ done_at }) => (done_at === null ? '-' : <NearMoment at={done_at} />),
              },
              {
                key: 'due',
                header: '下次执行',
                nowrap: true,
                cell: ({ due_at }) => (due_at === null ? '-' : <NearMoment at={due_at} />),
              },
              { key: 'holder', header: '所在进程', cell: ({ holder }) => holder || '-' },
              actionsColumn((row) => [
                row.may_retry === 1 && { label: '再试一次', recordName: nameOf(row), intent: `retry ${row.id}` },
                row.kind === 'import' && {
                  label: '查看',
                  recordName: nameOf(row),
                  href: importDetail.href({ id: importOf(row) }),
                },
              ]),
            ]}
          />
        </div>
      </Form>
    </Screen>
  );
}
