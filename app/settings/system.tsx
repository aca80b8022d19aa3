/** State of the system: versions, queues, and the last backup. */

import { settingsMessages } from '#server/settings/rules.ts';
import { type SystemState, showSystem } from '#server/system/contract.ts';
import { isReadinessGood, queueNames, type ReadinessName } from '#server/system/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenIfFault, requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { numberColumn } from '../ui/columns.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/system';
import { settings } from './screens.ts';
import styles from './settings.posts.module.css';
import { SettingsTabs } from './settings-tabs.tsx';
import {
  blockedSourceName,
  describeFailure,
  directiveName,
  engineNames,
  formatSize,
  readinessLabels,
  storageNames,
} from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('系统', '设置');

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, showSystem);
  const { every_school } = signedInPerson(context);
  requireAllowed(context, forbiddenIfFault(every_school === 1 ? undefined : settingsMessages.everySchool));
  return { system: await context.get(api).send(showSystem) };
}

export default function AdminSystem({ loaderData: { system } }: Route.ComponentProps) {
  return (
    <Screen title="设置" className={styles.page}>
      <SettingsTabs current="system" />
      <div className={styles.body}>
        <section className={styles.part}>
          <h2>版本</h2>
          <Facts inColumns>
            <Fact term="版本">{system.version}</Fact>
            <Fact term="数据库">
              {engineNames[system.engine]} {system.engine_version}
              {system.database_bytes !== null && `，${formatSize(system.database_bytes)}`}{' '}
              <State of="database" {...system} />
            </Fact>
            <Fact term="数据库结构">
              {numberOf(system.migration.latest)}，<NearMoment at={system.migration.at} />{' '}
              <State of="migrations" {...system} />
            </Fact>
          </Facts>
          <Migrations migration={system.migration} />
        </section>
        <Queues queues={system.queues} sendsTexts={system.sends_texts === 1} />
        <section className={styles.part}>
          <h2>存储与备份</h2>
          <Facts inColumns>
            <Fact term="文件">
              <Kept storage={system.storage} /> <State of="storage" {...system} />
            </Fact>
            <Fact term="存放位置">
              {system.storage.place}，<SharedBy processes={system.processes} />
            </Fact>
            {system.storage.free !== null && <Fact term="磁盘剩余">{formatSize(system.storage.free)}</Fact>}
            <Fact term="最近备份">
              <Backup backup={system.backup} />
            </Fact>
            <Fact term="最近清理过期数据">{system.cleared_on || '还没有清理过'}</Fact>
          </Facts>
          <FilesApart processes={system.processes} />
        </section>
        <Processes processes={system.processes} />
        <PolicyReports reports={system.policy_reports} />
      </div>
    </Screen>
  );
}

function State({ of, ready }: { of: ReadinessName } & Pick<SystemState, 'ready'>) {
  const state = ready.find(({ name }) => name === of)?.state ?? 'away';
  return <Tag tone={isReadinessGood(state) ? 'good' : 'bad'}>{readinessLabels[state]}</Tag>;
}

/** Number of a migration, such as 0057 of `0057-learner-codes`. */
const numberOf = (migration: string) => /^\d+/.exec(migration)?.[0] ?? migration;

function Migrations({ migration: { pending, newer } }: Pick<SystemState, 'migration'>) {
  return (
    <>
      {pending.length > 0 && (
        <p className={styles.note}>尚未执行：{pending.map(numberOf).join('、')}。重新启动后执行。</p>
      )}
      {newer.length > 0 && (
        <p className={styles.note}>
          数据库已由更新的版本修改：{newer.map(numberOf).join('、')}。请尽快把本服务也更新到该版本。
        </p>
      )}
    </>
  );
}

function Queues({ queues, sendsTexts }: Pick<SystemState, 'queues'> & { sendsTexts: boolean }) {
  return (
    <section className={styles.part}>
      <h2>后台任务</h2>
      {!sendsTexts && (
        <p className={styles.note}>
          学校没有<a href={settings.href({ tab: 'messages' })}>短信接口</a>
          ：短信不会发出，学员不能用验证码登录，只能用密码或学校的统一身份登录。
        </p>
      )}
      <ListTable<SystemState['queues'][number]>
        caption="后台任务"
        rows={queues}
        rowKey={({ name }) => name}
        empty="没有后台任务"
        columns={[
          { key: 'name', header: '任务', nowrap: true, cell: ({ name }) => queueNames[name] },
          numberColumn('waiting', '等待', ({ waiting }) => waiting),
          {
            key: 'oldest',
            header: '最早',
            nowrap: true,
            cell: ({ oldest_at }) => (oldest_at === null ? '-' : <NearMoment at={oldest_at} />),
          },
          numberColumn('failing', '失败', ({ failing }) => failing),
          {
            key: 'error',
            header: '最近一次失败的原因',
            minWidth: 160,
            cell: ({ error }) => describeFailure(error) || '-',
          },
        ]}
      />
    </section>
  );
}

function Kept({ storage: { kind, files, bytes } }: Pick<SystemState, 'storage'>) {
  if (kind === 'bucket') return `${storageNames.bucket}，用量请在存储服务中查看`;
  if (files === null || bytes === null) return `${storageNames.folder}，正在统计，请稍后刷新`;
  return `${storageNames.folder}，${files} 个，共 ${formatSize(bytes)}`;
}

const hostsWhere = (processes: SystemState['processes'], fits: (one: SystemState['processes'][number]) => boolean) => [
  ...new Set(processes.filter(fits).map(({ host }) => host)),
];

const quoteHosts = (hosts: string[]) => hosts.map((host) => `“${host}”`).join('、');

function SharedBy({ processes }: Pick<SystemState, 'processes'>) {
  const { length } = hostsWhere(processes, ({ files, is_gone }) => files === 'here' && is_gone === 0);
  return length > 1 ? `${length} 台主机共用` : '只有一台主机使用';
}

/** Warns if machines do not share one file storage. Each must find the files that were uploaded on the others. */
function FilesApart({ processes }: Pick<SystemState, 'processes'>) {
  const strangers = hostsWhere(processes, ({ files, is_gone }) => files === 'elsewhere' && is_gone === 0);
  const refused = hostsWhere(processes, ({ files }) => files === 'refused');
  const remedy = '请让所有主机使用同一个存储桶（S3_BUCKET）或同一个共享的数据文件夹（VAR_DIR），再重新启动。';
  return (
    <>
      {strangers.length > 0 && (
        <p className={styles.note}>
          主机{quoteHosts(strangers)}的文件存放在别处，在那里上传的文件在其他主机上打不开。{remedy}
        </p>
      )}
      {refused.length > 0 && (
        <p className={styles.note}>
          主机{quoteHosts(refused)}没有启动成功，因为那里的文件会存放在别处。{remedy}
        </p>
      )}
    </>
  );
}

/** Returns the most serious state that applies to a process. */
function processState({ files, is_gone }: SystemState['processes'][number]): { tone: 'good' | 'bad'; label: string } {
  if (files === 'refused') return { tone: 'bad', label: '没有启动' };
  if (is_gone === 1) return { tone: 'bad', label: '没有响应' };
  return files === 'elsewhere' ? { tone: 'bad', label: '文件在别处' } : { tone: 'good', label: '运行中' };
}

function Backup({ backup }: Pick<SystemState, 'backup'>) {
  if (!backup) return '未由本服务备份';
  const { succeeded_at, failure } = backup;
  return (
    <>
      {succeeded_at === null ? '还没有成功过' : <NearMoment at={succeeded_at} />}
      {failure && (
        <>
          {' '}
          <Tag tone="bad">最近一次失败</Tag> {failure}
        </>
      )}
    </>
  );
}

function Processes({ processes }: Pick<SystemState, 'processes'>) {
  return (
    <section className={styles.part}>
      <h2>进程</h2>
      <ListTable<SystemState['processes'][number]>
        caption="一天内运行过的进程"
        rows={processes}
        rowKey={({ host, pid, started_at }) => `${host} ${pid} ${started_at}`}
        empty="还没有进程报告状态，启动后一分钟内显示"
        columns={[
          { key: 'host', header: '主机', cell: ({ host, pid }) => `${host}（${pid}）` },
          { key: 'version', header: '版本', cell: ({ version }) => version },
          { key: 'since', header: '启动', nowrap: true, cell: ({ started_at }) => <NearMoment at={started_at} /> },
          { key: 'seen', header: '最近报告', nowrap: true, cell: ({ seen_at }) => <NearMoment at={seen_at} /> },
          { key: 'memory', header: '内存', nowrap: true, cell: ({ memory }) => formatSize(memory) },
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            cell: (process) => {
              const { tone, label } = processState(process);
              return <Tag tone={tone}>{label}</Tag>;
            },
          },
        ]}
      />
    </section>
  );
}

function PolicyReports({ reports: { count, last } }: { reports: SystemState['policy_reports'] }) {
  return (
    <section className={styles.part}>
      <h2>浏览器安全报告</h2>
      <p className={styles.before}>
        {count === 0
          ? '90 天内没有浏览器报告过。'
          : `共 ${count} 次。浏览器没有让页面加载下面的内容：多数来自电脑上的浏览器插件；来自本系统自己的，请告诉维护人员。`}
      </p>
      {last.length > 0 && (
        <ListTable<SystemState['policy_reports']['last'][number]>
          caption="最近的浏览器安全报告"
          rows={last}
          rowKey={({ directive, blocked, page }) => `${directive} ${blocked} ${page}`}
          empty="没有报告"
          columns={[
            { key: 'blocked', header: '内容来自', minWidth: 160, cell: ({ blocked }) => blockedSourceName(blocked) },
            { key: 'directive', header: '种类', nowrap: true, cell: ({ directive }) => directiveName(directive) },
            { key: 'page', header: '页面', cell: ({ page }) => page },
            numberColumn('count', '次数', (row) => row.count),
            { key: 'last', header: '最近一次', nowrap: true, cell: ({ last_at }) => <NearMoment at={last_at} /> },
          ]}
        />
      )}
    </section>
  );
}
