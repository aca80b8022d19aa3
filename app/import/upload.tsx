/** Form that uploads a file of a source. The upload is only checked; nothing is changed yet. */
import { uploadImport } from '#server/import/actions.contract.ts';
import { listImports } from '#server/import/contract.ts';
import { sourceNameLimit } from '#server/import/rules.ts';
import { fieldsBeforeFile } from '#server/platform/files/multipart.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import { keepPostedFields } from '../shell/form-owner.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { isMultipart } from '../shell/posted-form.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/upload';
import styles from './import.posts.module.css';
import { importDetail, importMapping, importScreen, importTemplateFile, importUpload } from './screens.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '导入', href: importScreen.href() }, { label: '上传文件' }] };

export const meta: Route.MetaFunction = () => titleMeta('上传要导入的文件');

/** Maximum size in bytes of the text fields, which come first in the form. The file follows them. */
const headBytes = 64 * 1024;

/** Suggested source of a school's first import. */
const firstSource = '学校名单';

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, uploadImport);
  const { list } = await context.get(api).send(listImports, { query: { limit: 20 } });
  const latest = list.find(({ is_own }) => is_own === 0);
  return { source: latest?.source ?? firstSource, idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context }: Route.ActionArgs) {
  // An error page offers to send the form again, but without its file; such a form is not multipart.
  if (!isMultipart(request)) {
    const typed = await readPostedForm(request, context);
    readButton(typed, '');
    return uploadForm(context, typed, typed);
  }
  const { fields, whole } = await fieldsBeforeFile(request, headBytes);
  const typed = new URLSearchParams(fields);
  keepPostedFields(context, [...typed]);
  readButton(typed, '');
  return uploadForm(context, whole, typed);
}

async function uploadForm(
  context: Route.ActionArgs['context'],
  form: Request | FormData,
  typed: FormData | URLSearchParams,
) {
  const outcome = await context.get(api).upload(uploadImport, form, idempotencyField(typed));
  if (!outcome.ok) return refusedForm(outcome, typed);
  const { id, columns } = outcome.data;
  return redirectWithMessage(
    context,
    outcome.msg,
    columns === '' ? importDetail.href({ id }) : importMapping.href({ id }),
  );
}

const { Form, TextField, FileField } = formOf<typeof uploadImport, 'file'>();

export default function UploadImport({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <Screen title="上传要导入的文件" card>
      <p>上传后只做检查：会新增、修改和离开的都逐条列出，确认之后才导入；导入之后14天内可以撤销。</p>
      <p>
        没有合适的文件时，可以<a href={importTemplateFile.href()}>下载模板</a>填写。
      </p>
      <Form
        action={importUpload.href()}
        idempotencyKey={loaderData.idempotencyKey}
        refused={actionData}
        values={{ source: loaderData.source }}
        encType="multipart/form-data"
        className={styles.form}
        noValidate
      >
        <TextField
          name="source"
          label="来源"
          description="文件出自哪个系统或哪份表格。同一来源的下一个文件会与这次对照。"
          withAsterisk
          limit={sourceNameLimit}
          autoComplete="off"
        />
        <FileField
          name="file"
          label="文件"
          description="工作簿（.xlsx）、OneRoster 数据包（.zip）、人员或学员名单（.csv）"
          withAsterisk
          required
          accept=".xlsx,.csv,.zip,.json"
        />
        <Submit>上传并检查</Submit>
      </Form>
    </Screen>
  );
}
