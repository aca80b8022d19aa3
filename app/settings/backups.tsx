/** List of backups with their results, and a button that makes one now. */

import { type Backup, showBackups, startBackup } from '#server/backup/contract.ts';
import { backupMessages, failureSentences } from '#server/backup/rules.ts';
import { settingsMessages } from '#server/settings/rules.ts';
import { api } from '../api/client.server.ts';
import { formatTime } from '../lib/dates.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm } from '../shell/form-action.server.ts';
import { forbiddenIfFault, requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { ListTable } from '../ui/list-table.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import { useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/backups';
import { backups } from './screens.ts';
import styles from './settings.posts.module.css';
import { SettingsTabs } from './settings-tabs.tsx';
import {
  backupKindNames,
  backupResultNames,
  backupResultTones,
  backupStateSentences,
  formatKeptBackups,
  formatSchedule,
} from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('备份', '设置');

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, showBackups);
  const { every_school } = signedInPerson(context);
  requireAllowed(context, forbiddenIfFault(every_school === 1 ? undefined : settingsMessages.everySchool));
  return { ...(await context.get(api).send(showBackups)), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const outcome = await context.get(api).ask(startBackup, { idempotencyKey: idempotencyField(form) });
  return finishForm(context, outcome, backups.href(), form);
}

const { Form } = formOf<typeof startBackup>();

/** Formats bytes in decimal units, as file managers do: 1 MB is a million bytes. */
const sizeText = (bytes: number) => {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} KB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
};

export default function Backups({ loaderData, actionData }: Route.ComponentProps) {
  const { every, keep, is_encrypted, state, is_running, list, idempotencyKey } = loaderData;
  const zone = useTimezone();
  return (
    <Screen title="设置" className={styles.page}>
      <SettingsTabs current="backups" />
      <div className={`${styles.body} ${styles.stack}`}>
        {every ? (
          <p>
            {formatSchedule(every)}，{formatKeptBackups(keep)}
            {is_encrypted === 1 ? '，备份文件已加密' : '，备份文件未加密'}。{backupStateSentences[state]}
          </p>
        ) : (
          <p>没有自动备份。请维护服务器的人员指定备份文件夹，最好在另一块磁盘或另一台机器上（设置项 BACKUP_DIR）。</p>
        )}
        <Form idempotencyKey={idempotencyKey} refused={actionData} values={{}} className={styles.form} noValidate>
          <Submit disabled={is_running === 1} title={is_running === 1 ? backupMessages.running : undefined}>
            {is_running === 1 ? '正在备份' : '立即备份'}
          </Submit>
        </Form>
        <ListTable<Backup>
          caption="最近的备份"
          rows={list}
          rowKey={({ id }) => id}
          empty="还没有备份"
          columns={[
            {
              key: 'time',
              header: '开始时间',
              nowrap: true,
              cell: ({ started_at }) => formatTime(started_at, zone),
            },
            { key: 'kind', header: '来源', nowrap: true, cell: ({ kind }) => backupKindNames[kind] },
            {
              key: 'verdict',
              header: '结果',
              cell: ({ verdict, reason, missing }) => (
                <>
                  <Tag tone={backupResultTones[verdict]}>{backupResultNames[verdict]}</Tag>
                  {reason && ` ${failureSentences[reason]}`}
                  {missing > 0 && ` ${missing}个附件在存储中找不到`}
                </>
              ),
            },
            {
              key: 'files',
              header: '附件',
              nowrap: true,
              cell: ({ files, kind }) => (kind === 'restore_point' ? '不含' : `${files}个`),
            },
            { key: 'bytes', header: '大小', nowrap: true, cell: ({ bytes, file }) => (file ? sizeText(bytes) : '—') },
            { key: 'file', header: '文件', cell: ({ file }) => file || '—' },
          ]}
        />
      </div>
    </Screen>
  );
}
