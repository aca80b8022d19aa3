/** Dialog with the last confirmation before an import is applied. The user confirms each risk by typing its number. */
import { applyImport } from '#server/import/actions.contract.ts';
import { type ImportRecord, showImport } from '#server/import/contract.ts';
import { rowOutcomeNames, rowOutcomes } from '#server/import/rules.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/apply';
import { FileDoubts } from './file-doubts.tsx';
import styles from './import.posts.module.css';
import { importApply, importDetail, importRows } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('导入');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, applyImport);
  const record = await context.get(api).send(showImport, { params: { id: importDetail.at(url).id } });
  requireAllowed(context, record.apply_fault || undefined);
  return { record, ...importApply.opened(url) };
}

const holdField = (number: number) => `held-${number}`;

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id } = importDetail.at(url);
  return handleForm(sent, importApply.behind(url), async (client, idempotencyKey, form) => {
    const { holds } = await client.send(showImport, { params: { id } });
    const confirmed = Object.fromEntries(
      holds.map(({ kind, reason }, at) => [`${kind}.${reason}`, textOf(form, holdField(at))]),
    );
    const departures = textOf(form, 'departures') === '0' ? 0 : 1;
    return client.ask(applyImport, { params: { id }, body: { confirmed, departures }, idempotencyKey });
  });
};

const { DialogForm, TextField, RadioField } = formOf<typeof applyImport, `held-${number}`>();

const leaves = rowOutcomes.indexOf('leaves');

const summaryOf = ({ totals }: ImportRecord): string =>
  rowOutcomes
    .map((verdict, at) => ({ verdict, count: totals[at] ?? 0 }))
    .filter(({ verdict, count }) => count > 0 && verdict !== 'unchanged')
    .map(({ verdict, count }) => `${rowOutcomeNames[verdict]}${count}条`)
    .join('，');

export default function ApplyImport({ loaderData, actionData }: Route.ComponentProps) {
  const { record, closeHref, idempotencyKey } = loaderData;
  const hasDepartures = (record.totals[leaves] ?? 0) > 0;
  return (
    <Dialog title="导入" closeHref={closeHref}>
      <p>
        <strong>{summaryOf(record) || '没有变化'}</strong>
      </p>
      {record.effects.length > 0 && (
        <ul className={styles.said}>
          {record.effects.slice(0, 10).map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      )}
      <FileDoubts record={record} />
      {record.to_check > 0 && (
        <p>
          其中<a href={importRows.href({ id: record.id, doubted: '1' })}>{record.to_check}条需要核对</a>。
        </p>
      )}
      <ul className={styles.said}>
        {record.follow_ups.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>导入之后14天内可以撤销。确定导入吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ departures: '1' }}
        submit="确定导入"
        noValidate
      >
        {hasDepartures && (
          <RadioField
            name="departures"
            label="离开的记录"
            choices={[
              ['1', '一并处理'],
              ['0', '这次只新增和修改'],
            ]}
          />
        )}
        {record.state === 'held' &&
          record.holds.map(({ kind, reason, number, sentence }, at) => (
            <TextField
              key={`${kind} ${reason}`}
              name={holdField(at) as `held-${number}`}
              label={sentence}
              description={`确认请输入${number}`}
              inputMode="numeric"
              autoComplete="off"
            />
          ))}
      </DialogForm>
    </Dialog>
  );
}
